# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The page's section on where a queue overtakes the list, and why there."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from horolog_experiments.harness.tables import number, table
from horolog_experiments.queues import thesis
from horolog_experiments.queues.cases import LEVELS, LIST, QUEUES
from horolog_experiments.queues.fits import LARGEST, Fit, fit, meeting
from horolog_experiments.queues.results import Results

__all__ = ["crossover_section"]

_Cost = Callable[[Results, str, str, int, str], Fraction]

_KINDS: tuple[tuple[str, str, _Cost, str], ...] = (
    ("homogeneous", "insertion", Results.insertion, "insertion alone, average"),
    ("homogeneous", "job", Results.per_job, "a job, average"),
    ("uniform", "insertion", Results.insertion, "insertion alone, average"),
    ("uniform", "job", Results.per_job, "a job, average"),
    ("worst", "job", Results.worst_job, "dearest insert, first and pop"),
)
_EXPLAINED = ("array_heap", "thesis_heap", "red_black_tree", "thesis_red_black_tree")


def crossover_section(results: Results) -> str:
    """Crossovers by family, and formulas that show what they depend on."""
    return "\n".join([_measured(results), _explained(results), _compared(results)])


def _measured(results: Results) -> str:
    rows = []
    for family, kind, cost, said in _KINDS:
        for queue in QUEUES:
            if queue.name == LIST:
                continue
            row = [
                f"{family}: {said}",
                f"`{queue.name}`",
                thesis.CROSSOVERS.get((queue.name, family, kind), ""),
            ]
            for level in reversed(LEVELS):
                found = results.crossover(queue.name, LIST, family, level, cost)
                row.append("never" if found is None else f"{found:,}")
            rows.append(row)
    return (
        "## Crossover with the sorted list\n\n"
        "The number of tasks measured from which on a queue costs no more than the list, at every larger "
        f"number measured too, up to {max(results.sizes('worst')):,}. A job is insert, first and pop "
        "together, first as often as it is asked for a pop; the thesis adds its averages up in the same "
        "way.\n\n" + table(["family: what", "queue", "thesis", "ours -O0", "ours -O2"], rows)
    )


def _explained(results: Results) -> str:
    """Formulas over the thesis' range, and where they meet."""
    rows = []
    for level in reversed(LEVELS):
        for family, kind, cost, _ in _KINDS[:4]:
            of_list = _fitted(results, LIST, family, cost, level)
            for name in _EXPLAINED:
                own = _fitted(results, name, family, cost, level)
                met = meeting(own, of_list)
                rows.append(
                    [
                        f"{family}, {kind}",
                        f"-{level}",
                        str(of_list),
                        f"`{name}`",
                        f"{own} ({number(own.residual)})",
                        f"beyond {LARGEST:,}" if met is None else f"{met:,}",
                        thesis.CROSSOVERS.get((name, family, kind), ""),
                    ]
                )
    return (
        f"Averages as formulas, fitted up to {thesis.MOST_TASKS} tasks, with the largest residual in "
        "brackets, and the n from which on the formulas say that the queue is no dearer:\n\n"
        + table(
            [
                "family",
                "level",
                "list",
                "queue",
                "its formula (residual)",
                "they meet at",
                "thesis",
            ],
            rows,
        )
    )


def _compared(results: Results) -> str:
    """Why ours are not the thesis': the list's step, and what its steps have to add up to."""
    rows = []
    for (title, kind), tasks in thesis.MEETINGS.items():
        cost = Results.insertion if kind == "insertion" else Results.per_job
        names = [
            name for name in _EXPLAINED if name.endswith(title.replace("-", "_").replace(" ", "_"))
        ]
        gap = thesis.LIST_STEP * tasks
        what = f"{title}, {kind}"
        rows.append([what, "thesis, cycles", str(thesis.LIST_STEP), f"{gap}", f"{tasks}", ""])
        for level in reversed(LEVELS):
            of_list = _fitted(results, LIST, "homogeneous", cost, level)
            for name in names:
                met = meeting(_fitted(results, name, "homogeneous", cost, level), of_list)
                row = [what, f"`{name}` -{level}", number(of_list.b)]
                if met is None:
                    row += ["", f"beyond {LARGEST:,}", ""]
                else:
                    ours = of_list.b * met
                    when = "earlier" if met < tasks else "later" if met > tasks else "the same"
                    step = number(of_list.b / thesis.LIST_STEP, 2)
                    more = number(ours / gap, 2)
                    why = f"{when}: {step} times the step, {more} times the difference"
                    row += [number(ours), f"{met:,}", why]
                rows.append(row)
    return (
        "Why they are not the thesis': a crossover is where the list's steps, one for each node that it "
        "passes, add up to what the other structure costs more otherwise: its constant, its levels, for "
        "a job its pop. So two things move it, the step and that difference. With one period for all, the "
        f"thesis' list pays {thesis.LIST_STEP} cycles more on average with each task; that times its "
        "crossover is the difference to its other structures. Ours are from the formulas above. (Of the "
        "uniform family's tie the thesis gives no formula.)\n\n"
        + table(
            ["homogeneous", "", "list's step", "difference", "crossover", "against the thesis"],
            rows,
        )
    )


def _fitted(results: Results, queue: str, family: str, cost: _Cost, level: str) -> Fit:
    sizes = [n for n in results.sizes(family) if n <= thesis.MOST_TASKS]
    return fit([(n, cost(results, queue, family, n, level)) for n in sizes])
