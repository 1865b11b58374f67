# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The report as a browser shows it: axe, widths, the keyboard, colours of the timeline, paper.

One browser sees all pages once, for all tests; without one the summary says so.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.browser.visits import NOT_VISITED, visit, why_not
from tests.tool.report_fixture import chronos, measured, stock, with_basic

from horolog.model.result import Suggestion
from horolog.report import page
from horolog.responses import analysis_of, deadlines_of

pytestmark = pytest.mark.xdist_group("browser")
WIDTHS = (400, 800, 1400)
SCHEMES = ("light", "dark")


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the browser found, by the names of the visits; "errors" of all pages."""
    absent = why_not()
    if absent is not None:
        pytest.skip(f"{NOT_VISITED}: {absent}")
    folder = tmp_path_factory.mktemp("pages")
    whole, late = _pages(folder)
    visits = {
        **{
            f"{width} {scheme}": {
                "page": whole,
                "width": width,
                "scheme": scheme,
                "axe": True,
                "does": "overflow",
            }
            for width in WIDTHS
            for scheme in SCHEMES
        },
        "pale": {"page": whole, "width": 800, "axe": True, "style": ".legend { color: #ccc; }"},
        "late": {"page": late, "width": 800, "axe": True, "does": "colours"},
        "keys": {"page": whole, "width": 800, "does": "keys"},
        "mouse": {"page": whole, "width": 800, "does": "mouse"},
        "colours": {"page": whole, "width": 1400, "does": "colours"},
        "paper": {
            "page": whole,
            "width": 800,
            "scheme": "dark",
            "media": "print",
            "does": "colours",
        },
        "screen": {"page": whole, "width": 800, "scheme": "dark", "does": "colours"},
    }
    found = visit(list(visits.values()))
    return {
        **dict(zip(visits, found["visits"], strict=True)),
        "errors": found["errors"],
    }


def _pages(folder: Path) -> tuple[str, str]:
    """All that a page can have, and one with late jobs."""
    target = chronos(8, Fraction(1, 10))
    result, planned, ours, theirs = measured(target)
    both, basic = with_basic(result, target)
    found = analysis_of(target, planned.choice)
    advice = (
        Suggestion("make t001 basic: 14.0 % to 1.8 %", 'kind = "basic"  # of t001, ' + "x" * 200),
    )
    full = replace(both, deadlines=deadlines_of(target, found), suggestions=advice)
    whole, late = folder / "whole.html", folder / "late.html"
    whole.write_text(
        page(full, planned, target, ours, stock(theirs), (), basic, found), encoding="utf-8"
    )
    busy = chronos(6, Fraction(1, 10), 0.9)
    result, planned, ours, theirs = measured(busy, "tick", Fraction(5, 4))
    assert result.horolog.deadline_misses
    late.write_text(page(result, planned, busy, ours, stock(theirs)), encoding="utf-8")
    return str(whole), str(late)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing(seen: dict[str, Any], width: int, scheme: str) -> None:
    found = seen[f"{width} {scheme}"]
    assert found["axe"]["violations"] == []
    assert found["axe"]["passes"] > 30
    assert found["said"] <= 0  # no more than the window is wide


def test_axe_would_find_something(seen: dict[str, Any]) -> None:
    assert [one["id"] for one in seen["pale"]["axe"]["violations"]] == ["color-contrast"]


def test_late_jobs_are_seen(seen: dict[str, Any]) -> None:
    assert seen["late"]["axe"]["violations"] == []
    assert seen["late"]["said"]["bad"] > seen["colours"]["said"]["bad"] / 4


def test_pages_have_no_errors_and_ask_for_nothing(seen: dict[str, Any]) -> None:
    assert seen["errors"] == []


def test_the_keyboard_reaches_all(seen: dict[str, Any]) -> None:
    said = seen["keys"]["said"]
    assert said["reached"] == ["Does it hold?", "Responses"]
    first, _, rest = said["measured"].partition(" to ")
    assert said["marked"].startswith(f"{first} to {first}: 0")
    assert rest
    assert said["measured"].startswith(said["shown"])
    assert ": 0 " not in said["shown"]
    jobs = [int(said[key].split("job ")[1].split(",")[0]) for key in ("searched", "again", "back")]
    assert said["searched"].startswith("t000, job ")
    assert jobs == [jobs[0], jobs[0] + 1, jobs[0]]
    assert said["none"] == "No task has no such task in its name"
    assert said["removed"] == ""


def test_the_mouse_measures_and_does_not_move(seen: dict[str, Any]) -> None:
    said = seen["mouse"]["said"]
    for text in (said["clicked"], said["dragged"]):
        ends, _, long = text.partition(": ")
        assert " to " in ends
        assert float(long.split()[0]) > 0
    assert said["clicked"] != said["dragged"]
    assert said["stayed"]


def test_the_kernel_has_a_colour_of_its_own(seen: dict[str, Any]) -> None:
    said = seen["colours"]["said"]
    for name in ("kernel", "faint", "bad", "ink"):  # deadlines are red, releases ink
        assert said[name] > 20, name


def test_paper_is_light(seen: dict[str, Any]) -> None:
    paper, screen = seen["paper"]["said"], seen["screen"]["said"]
    assert paper["corner"] == [255, 255, 255]
    assert paper["width"] == 2 * 720
    assert paper["kernel"] > 50
    assert max(screen["corner"]) < 64
    assert screen["classes"] == ""
