# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/evidence/soak.md from what ctest wrote about the campaigns of `make soak`.

Only what is the same in every run goes in: which campaign, how it ended, how much it says it did; no times.
"""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

_HEAD = """\
# Long campaigns

Written by `make soak`; do not edit. Each line is a program of the kernel's tests on the host port, under
AddressSanitizer and UndefinedBehaviorSanitizer, with its campaign at full length (`ctest -L soak`).

| campaign | ended | says |
|---|---|---|
"""


def page(junit: str) -> str:
    """The page for ctest's JUnit file, a line a campaign."""
    rows = []
    for case in ElementTree.fromstring(junit).iter("testcase"):
        output = case.findtext("system-out") or ""
        said = re.findall(r"^.*\b\d+ (?:random )?operations$", output, flags=re.MULTILINE)
        failed = case.find("failure") is not None or case.get("status") not in (None, "run")
        rows.append(
            f"| `{case.get('name')}` | {'FAILED' if failed else 'passed'} | {'; '.join(said)} |"
        )
    return _HEAD + "\n".join(sorted(rows)) + "\n"


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.write_text(page(source.read_text(encoding="utf-8")), encoding="utf-8")
