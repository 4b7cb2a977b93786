#!/usr/bin/env bash
# What the tests run on, while the static checks are still at work: the real parts, and the machine code
# and byte code that every pytest worker would otherwise compile for itself. Whatever fails here costs
# time only.
set -u
python=$1
bash "$(dirname "$0")/parts.sh"
export CROUPIER_CACHE_DIR
CROUPIER_CACHE_DIR=$(mktemp -d)
trap 'rm -rf "$CROUPIER_CACHE_DIR"' EXIT
for work in "analyze md-uth" "strategy price md-uth uth-published" "analyze md-235"; do
    "$python" -m croupier $work --json >/dev/null 2>&1
done
"$python" -m pytest --collect-only -qq >/dev/null 2>&1
exit 0
