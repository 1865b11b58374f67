# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Figures of pages as SVG. They need matplotlib, which the tool itself does not.

Text is drawn as outlines, so that a figure looks the same wherever it is shown; nothing in a file
depends on when or where it was drawn, and the same matplotlib gives the same bytes.
"""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["HOW_TO_DRAW", "can_draw", "drawn_by", "svg_files"]

HOW_TO_DRAW = (
    "figures are not drawn: matplotlib is not installed (pip install matplotlib, or in a "
    "checkout make setup-test)"
)

_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "horolog",  # of the identifiers in the SVG
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "path.simplify": False,
}


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def drawn_by() -> str:
    """The version of matplotlib that draws: with another one the bytes may differ."""
    import matplotlib

    return f"matplotlib {matplotlib.__version__}"


def svg_files(
    figures: Mapping[str, Callable[[], Figure]], style: Mapping[Any, Any] | None = None
) -> dict[str, str]:
    """<name>.svg of each of `figures`, with `style` beside that of all. ImportError without matplotlib."""
    import matplotlib

    files = {}
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # whatever the user's own style
        matplotlib.rcParams.update({**_STYLE, **(style or {})})
        for name, figure in figures.items():
            text = io.StringIO()
            figure().savefig(text, format="svg", metadata={"Date": None, "Creator": drawn_by()})
            # Trailing blanks are matplotlib's; no text file of ours has any.
            lines = [line.rstrip() for line in text.getvalue().splitlines()]
            files[f"{name}.svg"] = "\n".join(lines) + "\n"
    return files
