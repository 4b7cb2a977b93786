#!/usr/bin/env bash
# Install the programs that tests run on: PostgreSQL, Chromium, curl and promtool (in prometheus), from Debian. Where that is
# not allowed, say so loudly; with CI=true the tests that miss one fail.
set -u
missing=()
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing+=(postgresql)
[ -x /usr/bin/chromium ] || missing+=(chromium)
command -v curl >/dev/null || missing+=(curl)
command -v promtool >/dev/null || missing+=(prometheus)
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing ${missing[*]} with apt-get"
    export DEBIAN_FRONTEND=noninteractive
    { apt-get -qq update && apt-get -qq install -y --no-install-recommends "${missing[@]}"; } \
        >/dev/null 2>&1 && exit 0
fi
echo "!! ${missing[*]} is missing and cannot be installed here: tests that need it are SKIPPED" >&2
exit 0
