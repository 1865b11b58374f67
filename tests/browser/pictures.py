# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The pictures of docs/pictures: `make pictures` calls this with two reports of `horolog compare`.

python tests/browser/pictures.py LARGE.html SMALL.html docs/pictures

Of the large one come the README's two. The small one is shown whole, at three widths, light and dark, and on
paper.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2])]

from PIL import Image  # noqa: E402
from tests.browser.visits import visit, why_not  # noqa: E402

__all__ = ["main"]

LEAD = ".contents, section:not([aria-labelledby=time]), h3, .functions, .measures { display: none }"
TIMELINE = (
    ".top, .contents, section:not(.broad) { display: none } section.broad { margin-top: 1.5rem }"
)


def main(arguments: Sequence[str]) -> int:
    """Entry point; the exit status."""
    large, small, folder = arguments
    absent = why_not()
    if absent is not None:
        logging.error("no pictures: %s", absent)
        return 3
    out = Path(folder)
    visits: list[dict[str, Any]] = [
        {"page": large, "name": "report", "width": 1200, "height": 790, "style": LEAD},
        {"page": large, "name": "timeline", "width": 1300, "height": 930, "style": TIMELINE},
    ]
    for width in (400, 800, 1400):
        for scheme in ("light", "dark"):
            name = f"page-{width}-{scheme}"
            visits.append({"page": small, "name": name, "width": width, "scheme": scheme})
    visits.append({"page": small, "name": "page-paper", "width": 720, "media": "print"})
    found = visit([{**one, "picture": str(out / f"{one['name']}.png")} for one in visits])
    for error in found["errors"]:
        logging.error("%s", error)
    for one in visits:
        with Image.open(out / f"{one['name']}.png") as drawn:
            # A third of the size; this method keeps rare colours, of which a median cut would make a mean.
            kept = drawn.convert("RGB").quantize(256, Image.Quantize.FASTOCTREE)
        kept.save(out / f"{one['name']}.png", optimize=True)
    return 1 if found["errors"] else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
