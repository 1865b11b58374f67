# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The report of several cores: one HTML file, with figures and a lane of the timeline for each core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from horolog.figures import count, plural
from horolog.model import Baseline, System
from horolog.model.core_result import CoresResult
from horolog.model.result import Instructions, Side
from horolog.read.units import duration_text
from horolog.report.cores_rows import (
    CoreSeen,
    cores_headline,
    head_of_rivals,
    head_of_rows,
    idle_cores,
    idle_row,
    rival_rows,
    row_of,
    seen_tasks,
)
from horolog.report.timeline import run_on_core, scripts, timeline, verbatim
from horolog.report.wording import KEYS, deadlines_tone, ns_text, percent

__all__ = ["cores_page"]


def cores_page(result: CoresResult, system: System, cores: Sequence[CoreSeen]) -> str:
    """The whole report as HTML. Figures of each core first, then plans, timeline, responses."""
    environment = Environment(
        loader=PackageLoader("horolog.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"count": count, "percent": percent, "ns": ns_text}
    environment.filters |= {"time": duration_text}
    environment.globals |= {"plural": plural}
    whole = result.whole
    runs = [
        run_on_core(f"core {one.core}", one.result.horolog, seen.trace, seen.plan.part, system)
        for one, seen in zip(result.cores, cores, strict=True)
    ]
    return environment.get_template("cores.html.j2").render(
        result=whole,
        caveat=result.caveat,
        system=system,
        headline=cores_headline(result),
        failed=bool(whole.exceeded or whole.horolog.deadline_misses),
        of_cores=True,
        verdict=whole.deadlines,
        verdict_tone=None if whole.deadlines is None else deadlines_tone(whole.deadlines),
        headings=head_of_rows(whole.unit),
        rows=_rows(result, system, cores),
        bars=[*_bars(result), *_rival_bars(result)],
        rivals=rival_rows(result),
        rival_headings=head_of_rivals(whole.unit),
        keys=[KEYS[one.baseline] for one in result.rivals if one.baseline is not Baseline.STOCK],
        plans=cores,
        deadlines={one.core: one.result.deadlines for one in result.cores},
        tasks=[*seen_tasks(cores)],
        runs=runs,
        timeline=timeline(system, runs, of_cores=True),
        style=verbatim(environment, "style.css"),
        script=scripts(environment),
    )


def _rows(result: CoresResult, system: System, cores: Sequence[CoreSeen]) -> list[dict[str, Any]]:
    """A row for each core, those with tasks first, then one for all."""
    rows = []
    tasks = cells = 0
    for one, seen in zip(result.cores, cores, strict=True):
        own = 0 if seen.plan.planned is None else len(seen.plan.planned.choice.releasers)
        figures = row_of(one.result.horolog, len(one.tasks), own, one.waits.cycles)
        rows.append({"name": f"core {one.core}", "figures": figures, "total": False})
        tasks, cells = tasks + len(one.tasks), cells + own
    for core in idle_cores(system, result):
        rows.append({"name": f"core {core}", "figures": idle_row(), "total": False})
    waits = sum(one.waits.cycles for one in result.cores)
    figures = row_of(result.whole.horolog, tasks, cells, waits)
    return [*rows, {"name": "all cores", "figures": figures, "total": True}]


def _bars(result: CoresResult) -> list[dict[str, Any]]:
    """What of each core bodies, the kernel and idling take, in percent."""
    found = []
    for one in result.cores:
        side: Side = one.result.horolog
        if side.instructions is None or not side.instructions.total:
            continue
        found.append(_bar(f"core {one.core}", side.mechanism, "ours", side.instructions))
    return found


def _rival_bars(result: CoresResult) -> list[dict[str, Any]]:
    """The same of each of FreeRTOS's sides, all cores of the board."""
    return [
        _bar(f"core {one.core}", rival.baseline.title, KEYS[rival.baseline], one.counted)
        for rival in result.rivals
        for one in rival.cores
    ]


def _bar(name: str, note: str, key: str, of: Instructions) -> dict[str, Any]:
    shares = [round(100 * part / of.total, 3) for part in (of.bodies, of.kernel, of.idle)]
    return {"name": name, "note": note, "key": key, "shares": shares}
