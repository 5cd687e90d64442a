#!/bin/sh
# Installs the reader of KT relay requests that foreign-parsers.test.ts runs: rcs-pydantic, in a Python environment of its own.
# Needs python3 with venv: apt-get install python3-venv
set -eu
target=${RCS_PYDANTIC:-/opt/rcsp}
python3 -m venv "$target"
"$target/bin/pip" install --quiet rcs-pydantic==2.0.0 pydantic==2.14.3
echo "installed in $target"
