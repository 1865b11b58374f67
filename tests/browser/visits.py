# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Pages as a browser shows them: what runs visit.cjs, for tests and for the pictures of docs/pictures."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["NOT_VISITED", "visit", "why_not"]

NOT_VISITED = "THE REPORT WAS NOT LOOKED AT IN A BROWSER"
_HERE = Path(__file__).parent
_MODULES = _HERE.parents[1] / "build" / "browser"
"""Where set-up puts what package-lock.json names."""


def why_not() -> str | None:
    """What is not installed, and how to get it; None if all is there."""
    browser = shutil.which("chromium")
    # Of a snap: it sees none of the folders in which tests write.
    if browser is None or Path(browser).resolve().name == "snap":
        return "no Chromium; `make setup-test` installs Debian's where it can"
    if shutil.which("node") is None:
        return "no node, version 20 or newer"
    locked = _MODULES / "package-lock.json"
    if not locked.exists() or locked.read_bytes() != (_HERE / "package-lock.json").read_bytes():
        return "no Playwright and axe; `make setup-test` fetches them with npm"
    return None


def visit(visits: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What visit.cjs finds. RuntimeError with what it said, if it fails."""
    command = ["node", str(_HERE / "visit.cjs"), "--modules", str(_MODULES / "node_modules")]
    done = subprocess.run(
        [*command, "--browser", str(shutil.which("chromium"))],
        input=json.dumps(visits),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout)
    return found
