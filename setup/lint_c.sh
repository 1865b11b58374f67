#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# clang-tidy and cppcheck over every kernel source of a configured host build:
#
#     sh setup/lint_c.sh BUILD-FOLDER [JOBS [longest|all]]
#
# Both look at the longest text that the preprocessor makes of a source, or at all of them.
# The build folder's compile_commands.json tells each tool the flags and include paths, so that
# both see what the compiler sees. A kernel source that no test compiles is an error.
set -eu

build=$1
jobs=${2:-1}
texts=${3:-longest}
commands=$build/compile_commands.json

sources=$(git ls-files 'kernel/*.c')
[ -n "$sources" ] || exit 0
for source in $sources; do
    grep -q "\"file\": \".*/$source\"" "$commands" || {
        echo "lint: $source is compiled by no test, so it cannot be checked" >&2
        exit 1
    }
done

python3 setup/distinct_commands.py "$build" "$build/clang-tidy" "$jobs" "$texts"
echo "$sources" | xargs -P "$jobs" -n 4 clang-tidy --quiet -p "$build/clang-tidy" \
    --extra-arg=-Wno-unknown-warning-option

echo "cppcheck"
# missingInclude: C library headers are not for cppcheck to read. unusedFunction needs the whole program.
mkdir -p "$build/cppcheck"
cppcheck --quiet --error-exitcode=1 --project="$build/clang-tidy/compile_commands.json" --file-filter='kernel/*' \
    --cppcheck-build-dir="$build/cppcheck" --enable=warning,performance,portability \
    --inline-suppr --suppress=missingInclude --suppress=unmatchedSuppression -j "$jobs"
