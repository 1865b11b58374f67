#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# Put the sources of FreeRTOS-Kernel V11.2.0 (MIT) into the user's cache:
#
#     ${XDG_CACHE_HOME:-~/.cache}/horolog/freertos-v11.2.0/FreeRTOS-Kernel/
#
# They come from the crates.io package freertos-next, at the version and hashes of fetch/Cargo.lock,
# by `cargo vendor` (cargo 1.85 or newer). What is in the cache is taken if its files are those of
# fetch/files.sha256. FREERTOS_KERNEL=/path names a checkout of your own instead.
#
#     sh fetch.sh               prints the folder; exit 0, or 3 with a hint when it cannot be had
#     sh fetch.sh --optional    the same for set-up: also exits 0 without
set -eu

version=V11.2.0
crate=freertos-next
here=$(cd "$(dirname "$0")" && pwd)
case ${XDG_CACHE_HOME-} in
/*) home=$XDG_CACHE_HOME ;;
*) home=${HOME:+$HOME/.cache} ;; # a relative path is to be ignored: XDG Base Directory Specification
esac
cache=$home/horolog/freertos-v11.2.0
kernel=$cache/FreeRTOS-Kernel
optional=no

say() { echo "freertos: $*" >&2; }

# Without the sources everything but the comparison works.
missing() {
    say "$*"
    say "no comparison with FreeRTOS without its sources; all else works. To get them, either"
    say "  install cargo 1.85 or newer (rustup.rs; Debian 12's own is older) and repeat, or"
    say "  set FREERTOS_KERNEL=/path to a checkout of FreeRTOS-Kernel $version"
    [ "$optional" = yes ] && exit 0
    exit 3
}

# The version that a source folder says it is; nothing if it is none. The files end lines in CR LF.
version_of() {
    [ -f "$1/tasks.c" ] && [ -f "$1/list.c" ] || return 0
    [ -f "$1/include/task.h" ] || return 0
    sed -n 's/^#define tskKERNEL_VERSION_NUMBER[[:space:]]*"\([^"]*\)".*/\1/p' "$1/include/task.h"
}

# The files of the folder $1 that are not as fetch/files.sha256 says; nothing if all are.
changed_in() {
    [ -d "$1" ] || { echo "there is no such folder" && return; }
    (cd "$1" && sha256sum --check --quiet "$here/fetch/files.sha256" 2>/dev/null) || true
}

case ${1-} in
'') ;;
--optional) optional=yes ;;
*)
    say "unknown argument: $1 (there is only --optional)"
    exit 2
    ;;
esac

if [ -n "${FREERTOS_KERNEL-}" ]; then
    found=$(version_of "$FREERTOS_KERNEL")
    [ -n "$found" ] || missing "FREERTOS_KERNEL=$FREERTOS_KERNEL is no FreeRTOS-Kernel folder"
    [ "$found" = "$version" ] || say "warning: $FREERTOS_KERNEL is $found; evidence is for $version"
    say "using $FREERTOS_KERNEL ($found)"
    echo "$FREERTOS_KERNEL"
    exit 0
fi

# Whether the cache has the sources.
is_cached() { [ -z "$(changed_in "$kernel")" ]; }

cached() {
    say "$version is in the cache"
    echo "$kernel"
    exit 0
}

[ -n "$home" ] || missing "neither XDG_CACHE_HOME nor HOME is set, so there is no cache"
is_cached && cached

command -v cargo >/dev/null 2>&1 || missing "cargo is not installed"
said=$(cargo --version 2>/dev/null) || missing "cargo does not start"
minor=$(echo "$said" | sed -n 's/^cargo 1\.\([0-9]*\)\..*/\1/p')
[ "${minor:-0}" -ge 85 ] || missing "$said is too old: $crate needs cargo 1.85 or newer"

# One process fetches; a later one waits, and finds the sources there.
no_cache="cannot write $home; XDG_CACHE_HOME=/path names another folder"
mkdir -p "$cache" 2>/dev/null || missing "$no_cache"
: 2>/dev/null >>"$cache.lock" || missing "$no_cache"
exec 9>>"$cache.lock"
if command -v flock >/dev/null 2>&1 && ! flock -n 9; then
    say "another process is fetching $version: waiting"
    flock 9
    is_cached && cached
fi

# The manifest is copied because an installed package's folder may be read-only, and the result is
# moved in whole, so that an interrupted run leaves nothing half-written.
work=$(mktemp -d "$cache/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cp -R "$here/fetch" "$work/manifest"
say "fetching $version by cargo vendor"
(cd "$work/manifest" && cargo vendor --locked --quiet "$work/vendor" >/dev/null 2>"$work/log") || {
    sed 's/^/freertos: cargo: /' "$work/log" >&2
    missing "cargo could not fetch $crate"
}
fetched=$work/vendor/$crate/FreeRTOS-Kernel
found=$(version_of "$fetched")
[ "$found" = "$version" ] || missing "$crate carries '$found', not $version"
changed=$(changed_in "$fetched")
[ -z "$changed" ] || missing "$crate carries other files than fetch/files.sha256 says: $changed"
if [ -e "$kernel" ]; then
    say "what was in the cache is not $version: $(changed_in "$kernel" | head -n 3)"
    mv "$kernel" "$work/old"
fi
mv "$fetched" "$kernel"
say "$version is now in $kernel"
echo "$kernel"
