#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# Write setup/requirements-{run,source,dev}.txt anew from pyproject.toml: exact
# versions with the hashes of every file, for Python 3.11 and later on Linux. Run by `make lock`,
# never by set-up: installing needs pip alone.
set -eu
cd "$(dirname "$0")/.."

UV_VERSION=0.13.8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check "uv==$UV_VERSION"

# --no-emit-index-url: a lock file says what, never from which mirror.
lock() {
    "$work/venv/bin/uv" --no-config pip compile --quiet --upgrade --universal --python-version 3.11 \
        --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate \
        --custom-compile-command "make lock" "$@"
}
lock --group source --output-file setup/requirements-source.txt
lock pyproject.toml --extra plan --group build --output-file setup/requirements-run.txt
lock pyproject.toml --extra plan --group dev --constraint setup/requirements-run.txt \
    --output-file setup/requirements-dev.txt
