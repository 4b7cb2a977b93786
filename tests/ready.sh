#!/usr/bin/env bash
# What the tests run on, while the static checks are still at work: the real parts, and the byte code
# that every pytest worker would otherwise compile for itself. Whatever fails here costs time only.
set -u
python=$1
bash "$(dirname "$0")/parts.sh"
"$python" -m pytest --collect-only -qq >/dev/null 2>&1
exit 0
