#!/usr/bin/env bash
# Prepare for the tests while the static checks run: install the programs they need, and compile the
# byte code that every pytest worker would otherwise compile for itself. A failure here costs time only.
set -u
python=$1
bash "$(dirname "$0")/parts.sh"
"$python" -m pytest --collect-only -qq >/dev/null 2>&1
exit 0
