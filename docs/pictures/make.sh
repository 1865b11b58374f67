#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# Takes the README's pictures of a report of compare: `make pictures` calls this with one of examples/chronos.
# Needs Chromium; the pictures are committed, so nothing else does.
set -eu

report=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# shot STYLE WIDTH,HEIGHT NAME: the report with an additional style
shot() {
    sed "s|</head>|<style>$1</style></head>|" "$report" >"$scratch/$3.html"
    chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --hide-scrollbars --virtual-time-budget=4000 \
        --user-data-dir="$scratch/profile" --window-size="$2" --screenshot="$here/$3.png" \
        "file://$scratch/$3.html" >/dev/null 2>&1
    echo "$here/$3.png"
}

shot 'section:nth-of-type(n+3),.measures{display:none}' 1200,1010 report
shot '.top,section:not(.broad){display:none}section.broad{margin-top:1.5rem}' 1300,930 timeline
