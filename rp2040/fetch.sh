#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# Put rp2040js 1.4.1 (MIT), which simulates the board pico, into the user's cache:
#
#     ${XDG_CACHE_HOME:-~/.cache}/horolog/rp2040js-1.4.1/node_modules/rp2040js/
#
# It comes from the npm registry, at the version and hash of package-lock.json, by `npm ci` (node 18 or newer). No
# script of a package is run.
#
#     sh fetch.sh               prints the folder; exit 0, or 3 with a hint when it cannot be had
#     sh fetch.sh --optional    the same for set-up: also exits 0 without
set -eu

version=1.4.1
here=$(cd "$(dirname "$0")" && pwd)
case ${XDG_CACHE_HOME-} in
/*) home=$XDG_CACHE_HOME ;;
*) home=${HOME:+$HOME/.cache} ;; # a relative path is to be ignored: XDG Base Directory Specification
esac
cache=$home/horolog/rp2040js-$version
optional=no

say() { echo "rp2040js: $*" >&2; }

missing() {
    say "$*"
    say "the board pico cannot be simulated without it; all else works. Install node 18 or newer with npm, and repeat:"
    say "  sh $here/fetch.sh"
    [ "$optional" = yes ] && exit 0
    exit 3
}

case ${1-} in
'') ;;
--optional) optional=yes ;;
*)
    say "unknown argument: $1 (there is only --optional)"
    exit 2
    ;;
esac

is_cached() { cmp -s "$here/package-lock.json" "$cache/package-lock.json" && [ -d "$cache/node_modules/rp2040js" ]; }

cached() {
    say "$version is in the cache"
    echo "$cache/node_modules/rp2040js"
    exit 0
}

[ -n "$home" ] || missing "neither XDG_CACHE_HOME nor HOME is set, so there is no cache"
is_cached && cached
command -v node >/dev/null 2>&1 || missing "node is not installed"
command -v npm >/dev/null 2>&1 || missing "npm is not installed"
said=$(node --version 2>/dev/null) || missing "node does not start"
major=$(echo "$said" | sed -n 's/^v\([0-9]*\)\..*/\1/p')
[ "${major:-0}" -ge 18 ] || missing "node $said is too old: rp2040js needs 18 or newer"

# One process fetches; a later one waits, and finds it there.
no_cache="cannot write $home; XDG_CACHE_HOME=/path names another folder"
mkdir -p "$home/horolog" 2>/dev/null || missing "$no_cache"
: 2>/dev/null >>"$cache.lock" || missing "$no_cache"
exec 9>>"$cache.lock"
if command -v flock >/dev/null 2>&1 && ! flock -n 9; then
    say "another process is fetching $version: waiting"
    flock 9
    is_cached && cached
fi

# Moved in whole, so that an interrupted run leaves nothing half-written.
work=$(mktemp -d "$cache.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cp "$here/package.json" "$here/package-lock.json" "$work"
say "fetching $version by npm ci"
(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund >log 2>&1) || {
    tail -n 5 "$work/log" | sed 's/^/rp2040js: npm: /' >&2
    missing "npm could not fetch it"
}
rm -rf "$cache"
chmod 755 "$work"
mv "$work" "$cache"
say "$version is now in $cache"
echo "$cache/node_modules/rp2040js"
