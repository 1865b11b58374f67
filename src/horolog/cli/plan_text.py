# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A plan in text: the releasers chosen for a system, what they cost, and what else was possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.console import Console
from rich.markup import escape

from horolog.analyse import levels
from horolog.cli import plain_table, right
from horolog.cli.plan_tables import (
    clock_text,
    interrupt_text,
    print_lines,
    print_mappings,
    print_prescalers,
    rate_text,
)
from horolog.cli.searching import gap_text, search_text
from horolog.figures import first_names, plural, significant
from horolog.model import (
    Beside,
    CostsOrigin,
    Deadlines,
    HorologError,
    Moves,
    Planned,
    Prediction,
    QueueChoice,
    QueueOption,
    Releaser,
    Sharing,
    System,
)
from horolog.model.memory import ESTIMATE_ERROR, MemoryEstimate
from horolog.model.result import Suggestion
from horolog.read import duration_text, unreleased

__all__ = ["deadlines_style", "print_choice", "print_explanation", "print_suggestions"]


def print_explanation(
    out: Console, system: System, planned: Planned, *, whole: bool = False
) -> None:
    """Every alternative, and why; the `whole` has every store of every cell, with its curve."""
    print_lines(out, system, planned.choice)
    if planned.sharing is not None:
        _print_sharing(out, system, planned.sharing, None if whole else _THREADS_SHOWN)
    print_prescalers(out, system, planned)
    _print_alternatives(out, system, planned)
    print_mappings(out, planned)
    _print_search(out, planned)
    _print_queues(out, system, planned, whole=whole)


def deadlines_style(deadlines: Deadlines) -> str:
    """The colour of a verdict."""
    return "bold green" if deadlines.hold else "bold red" if deadlines.missed else "bold yellow"


def print_choice(out: Console, system: System, planned: Planned, deadlines: Deadlines) -> None:
    """Prints the plan that was chosen: its verdict, its cells, what is predicted of it, and notes."""
    choice = planned.choice
    prediction = choice.prediction
    reason = next(a.reason for a in planned.alternatives if a.plan is choice)
    out.print(
        f"[bold]{escape(system.name)}[/] on {escape(system.board.title)}: "
        f"{plural(len(system.tasks), 'task')}, {plural(planned.jobs, 'job')} in "
        f"{duration_text(system.duration)}"
    )
    out.print(f"[{deadlines_style(deadlines)}]{escape(deadlines.text)}[/]", soft_wrap=True)
    out.print(f"[bold green]{choice.mechanism}[/] ({escape(reason)})", soft_wrap=True)
    if system.board.clock.prescalers:
        out.print(f"prescaler  {clock_text(system)}", soft_wrap=True)
    numbers = right("period", "tasks", "interrupts")
    known = choice.longest_handler is not None
    handler = right("handler", "varies by", whole=True) if known else []
    table = plain_table(
        "cell", "mode", "queue", *numbers, *handler, *(("interrupt",) if system.basic else ()), ""
    )
    bounds = choice.handlers if known else [None] * len(choice.releasers)
    for releaser, (_, interrupts), bound in zip(
        choice.releasers, prediction.interrupts_by_cell, bounds, strict=True
    ):
        table.add_row(
            releaser.cell,
            releaser.mode.value,
            releaser.store,
            "" if releaser.period is None else duration_text(releaser.period),
            str(len(releaser.tasks)),
            f"{interrupts:,}",
            *(() if bound is None else (f"{bound.longest:,}", f"{bound.varies:,}")),
            *((interrupt_text(system, releaser),) if system.basic else ()),
            _remark(releaser),
        )
    out.print(table)
    window = duration_text(system.duration)
    out.print(
        f"predicted  {plural(prediction.interrupts, 'interrupt')} in {window}, "
        f"{prediction.required:,} of them required; "
        f"{_about(prediction)}{rate_text(prediction.interrupts_per_second)}/s in the long run"
    )
    out.print(
        f"bound      {plural(planned.distinct_instants, 'distinct release instant')} in {window}"
    )
    for one in prediction.beside:
        out.print(f"beside     {escape(_beside(system, one))}", soft_wrap=True)
    if system.board.runner.ns_per_step is None:
        out.print("overhead   not predicted: no instructions are counted on this board")
    else:
        unit = system.board.runner.unit
        out.print(
            f"overhead   {significant(prediction.overhead_percent)} % of the processor's {unit}, "
            f"{_per_job(prediction, planned.jobs, unit)}{_range(prediction)}",
            soft_wrap=True,
        )
    if planned.memory is not None:
        for text in memory_texts(planned.memory):
            out.print(text, soft_wrap=True)
    if planned.sharing is not None:
        out.print(f"shared     {escape(_sharing(system, planned.sharing))}", soft_wrap=True)
    if choice.longest_handler is not None:
        longest, varies = choice.longest_handler
        out.print(
            f"handlers   at most {longest:,} {system.board.runner.unit} from entry to exit, which delays "
            f"tasks; none varies by more than {varies:,}",
            soft_wrap=True,
        )
    elif choice.handlers and system.board.runner.ns_per_step is not None:
        why = next(one.why for one in choice.handlers if one.why)
        out.print(f"handlers   how long they are is not known: {why}", soft_wrap=True)
    disturbed = prediction.disturbances_per_second
    if disturbed is not None:
        out.print(
            f"disturbed  {rate_text(disturbed)}/s: interrupts that release only tasks of a lower priority "
            "than the running one"
        )
    search = search_text(planned.search)
    if search is not None:
        out.print(f"search     {search}", soft_wrap=True)
    for note in _notes(system) + planned.notes:
        out.print(f"note       {escape(note)}", soft_wrap=True)
    if planned.moves is not None and planned.moves.moves:
        _print_moves(out, system, planned.moves)
    if not prediction.rate_exact:
        out.print(
            "           (rates are those of a stretch of the hyperperiod, which is too long to count)"
        )


def _beside(system: System, one: Beside) -> str:
    """What budgets or tables add to the figures; and what of that is not predicted."""
    parts = []
    if one.interrupts:
        parts.append(f"{plural(one.interrupts, 'interrupt')} of {one.cell or 'its own'}")
    if one.kernel is not None:
        parts.append(f"{float(one.kernel):,.0f} kernel {system.board.runner.unit}, in the overhead")
    text = f"{one.what}: {'; '.join(parts)}" if parts else one.what
    if one.not_predicted is None:
        return text
    return f"{text}{';' if parts else ':'} not predicted: {one.not_predicted}"


def _sharing(system: System, sharing: Sharing) -> str:
    tasks = sum(len(one) for one in sharing.threads)
    text = f"{plural(tasks, 'task')} in {plural(len(sharing.threads), 'thread')}: saves "
    if sharing.kernel_per_second:
        unit = system.board.runner.unit
        text += f"{float(sharing.kernel_per_second):,.0f} kernel {unit}/s and "
    return f"{text}{sharing.stack_bytes:,} bytes of stacks"


def _print_moves(out: Console, system: System, found: Moves) -> None:
    """Which tasks were moved, and by how much; those that were moved alike in one row."""
    alike: dict[tuple[Fraction, Fraction, Fraction], list[str]] = {}
    for move in found.moves:
        key = (move.delay, move.nominal_period, move.period)
        alike.setdefault(key, []).append(system.tasks[move.task].name)
    table = plain_table("moved", *right("period", "planned", "later by"))
    for (delay, nominal, period), names in alike.items():
        table.add_row(
            ", ".join(first_names(names, _MOST_NAMES)),
            duration_text(nominal),
            "" if period == nominal else duration_text(period),
            duration_text(delay) if delay else "",
        )
    out.print(table)


def memory_texts(memory: MemoryEstimate) -> list[str]:
    """Lines on what the plan takes, as estimated, and what its tables buy."""
    stacks = f"{memory.stacks:,} of stacks (FreeRTOS {memory.freertos_stacks:,})"
    if memory.flash is None or memory.variables is None:
        return [
            f"memory     {memory.tables:,} bytes of tables, {stacks}; other memory is not estimated",
            *_bought_texts(memory),
        ]
    assert memory.freertos_flash is not None
    assert memory.freertos_variables is not None
    flash, of_theirs = _bytes_text(memory.flash), _bytes_text(memory.freertos_flash)
    variables, theirs = _bytes_text(memory.variables), _bytes_text(memory.freertos_variables)
    return [
        f"memory     about {flash} bytes of flash (FreeRTOS {of_theirs}), {memory.tables:,} of them tables; "
        f"{variables} of variables (FreeRTOS {theirs}); {stacks}",
        "           without bodies and libraries; FreeRTOS with a task each; estimated: within "
        f"{ESTIMATE_ERROR} % in examples on mps2-an385",
        *_bought_texts(memory),
    ]


def _bytes_text(value: Fraction) -> str:
    return f"{round(value, -2 if value >= 1000 else -1).numerator:,}"


def _bought_texts(memory: MemoryEstimate) -> Iterator[str]:
    for one in memory.bought:
        yield (
            f"table      {one.store} on {one.cell}: {one.bytes:,} bytes save {significant(one.saves)} % of "
            f"the processor beside {one.beside}"
        )


def print_suggestions(out: Console, better: Sequence[Suggestion]) -> None:
    """What would be better, each with the line to write."""
    for one in better:
        out.print(f"better     {escape(one.text)}", soft_wrap=True)
        out.print(f"           {escape(one.line)}", soft_wrap=True)


def _print_sharing(out: Console, system: System, sharing: Sharing, most: int | None) -> None:
    """Which tasks share threads; `most` of these threads, the most urgent."""
    out.print()
    table = plain_table("thread of", *right("tasks", "priority", whole=True), "in this order")
    on = levels(system)
    for tasks in sharing.threads[:most]:
        names = first_names([system.tasks[task].name for task in tasks], _MOST_NAMES)
        table.add_row(
            system.tasks[tasks[0]].name, str(len(tasks)), str(on[tasks[0]]), ", ".join(names)
        )
    out.print(table)
    left = 0 if most is None else len(sharing.threads[most:])
    if left > 0:
        out.print(f"and {plural(left, 'thread')} more: --explain-all", style="dim")


_MOST_NAMES = 4
_THREADS_SHOWN = 10


def _notes(system: System) -> tuple[str, ...]:
    """What a description says that its run would not show."""
    try:
        return unreleased(system)
    except HorologError as error:
        return (f"{error.message}: {error.found}",)


def _remark(releaser: Releaser) -> str:
    if releaser.divider > 1 and releaser.level is not None:
        return f"at most every {releaser.divider}th interrupt releases a task"
    if releaser.divider > 1:
        return f"every {releaser.divider}th interrupt; the others only count"
    return "armed only for instants of no other cell" if releaser.cooperates else ""


def _print_search(out: Console, planned: Planned) -> None:
    """How the search ended, and what is known of the choice."""
    search = planned.search
    out.print(f"search     ended {search.end.value}; {gap_text(search)}", soft_wrap=True)


def _print_alternatives(out: Console, system: System, planned: Planned) -> None:
    priced = system.board.runner.ns_per_step is not None
    headings = ("cells", "interrupts", "per second", "required", "not", "coincident", "overhead")
    shown = headings if priced else headings[:-1]
    table = plain_table("mechanism", *right(*shown, whole=True))
    for alternative in planned.alternatives:
        plan_ = alternative.plan
        chosen = plan_ is planned.choice
        if plan_ is None:
            cells = ["", "impossible", *[""] * 5]
        else:
            prediction = plan_.prediction
            cells = [
                str(len(plan_.releasers)),
                f"{prediction.interrupts:,}",
                _about(prediction) + rate_text(prediction.interrupts_per_second),
                rate_text(prediction.required_per_second),
                rate_text(prediction.not_required_per_second),
                rate_text(prediction.coincident_per_second),
                f"{significant(prediction.overhead_percent)} %",
            ]
        table.add_row(
            alternative.mechanism,
            *(cells if priced else cells[:-1]),
            style="bold" if chosen else "dim" if plan_ is None else "",
        )
    out.print()
    out.print(table)
    out.print("required, not, coincident: interrupts a second in the long run", style="dim")
    out.print()
    for alternative in planned.alternatives:
        out.print(f"{alternative.mechanism:<16} {escape(alternative.reason)}", soft_wrap=True)


_SHAPES = {
    "same": "one period",
    "near": "periods close together",
    "wide": "periods far apart",
    "many": "many periods without a common base",
    "distinct": "hardly two tasks due together",
}


_OVER = {"waiting": "tasks", "passed": "passed", "together": "at an instant", "depth": "deep"}


def _print_queues(out: Console, system: System, planned: Planned, *, whole: bool) -> None:
    if planned.costs is None:
        return
    out.print()
    out.print(f"costs      {escape(_origin(planned.costs))}", soft_wrap=True)
    if not planned.choice.queues:
        out.print("           (no curves of queues in it: sorted lists)")
    if not whole:
        _print_chosen_queues(out, planned.choice.queues)
        return
    basic = {r.cell for r in planned.choice.releasers if {*r.tasks} <= {*system.basic}}
    for choice in planned.choice.queues:
        _print_queue(out, choice, in_handler=choice.cell in basic)


def _print_chosen_queues(out: Console, queues: Sequence[QueueChoice]) -> None:
    """The store of each cell, and what the next one would cost."""
    if not queues:
        return
    table = plain_table("store of", "", *right("a job", "kernel/s", "RAM", "tables"), "next best")
    for choice in queues:
        taken = next(one for one in choice.options if one.store == choice.store)
        others = [one for one in choice.options if one is not taken and one.admissible]
        best = min(others, key=lambda one: one.per_second, default=None)
        follows = "no other"
        if best is not None:
            more = float(best.per_second - taken.per_second)
            follows = f"{best.store}, {'+' if more >= 0 else ''}{more:,.0f} kernel/s"
        table.add_row(
            choice.cell,
            choice.store,
            f"{float(taken.per_job):,.1f}",
            f"{float(taken.per_second):,.0f}",
            f"{taken.ram:,}",
            f"{taken.constants:,}",
            follows,
        )
    out.print(table)
    out.print("--explain-all has every store of every cell, and what its steps cost", style="dim")


def _origin(origin: CostsOrigin) -> str:
    holds_for = ", ".join(text for text in (origin.toolchain, origin.flags) if text)
    return f"{origin.file} ({origin.kind}; {holds_for or 'it does not say for which tools'})"


def _print_queue(out: Console, choice: QueueChoice, *, in_handler: bool) -> None:
    tasks = plural(choice.tasks, "task")
    out.print()
    out.print(
        f"[bold]{choice.cell}: {choice.store}[/] ({choice.reason}); {tasks}, "
        f"{_SHAPES[choice.shape]}; an insertion into a sorted list passes {float(choice.passed):.1f}",
        soft_wrap=True,
    )
    table = plain_table(
        "store",
        *right("a job", "kernel/s", "RAM", "tables", whole=True),
        f'a job\'s calls, curve "{choice.shape}"; or steps a second, each at',
        "",
    )
    for option in choice.options:
        taken = option.store == choice.store
        table.add_row(
            option.store,
            f"{float(option.per_job):,.1f}",
            f"{float(option.per_second):,.0f}",
            f"{option.ram:,}",
            f"{option.constants:,}",
            _curve(option),
            _caution(option),
            style="bold" if taken else "" if option.admissible else "dim",
        )
    out.print(table)
    for misfit in choice.misfits:
        out.print(f"{misfit.store}: {escape(misfit.reason)}", style="dim", soft_wrap=True)
    out.print(_RUNS_IN_HANDLER if in_handler else _RUNS_IN_THREAD, style="dim")


_RUNS_IN_THREAD = (
    "pop and steps but a job's run with interrupts off, "
    "insert with interrupts on and dispatch held off"
)


_RUNS_IN_HANDLER = (
    "all of it but a job's step runs in the cell's handler, which higher levels interrupt"
)


def _caution(option: QueueOption) -> str:
    if not option.admissible:
        if option.store == "unsorted-list":
            return "only if named: interrupts look at all waiting tasks"
        return "only if named: pop O(n) at worst"
    return "insert O(n) at worst" if option.linear else ""


def _curve(option: QueueOption) -> str:
    if option.steps:
        return ", ".join(
            f"{step.name} {float(step.per_second):,.0f} at {float(step.instructions):,.1f}"
            for step in option.steps
        )
    points = "; ".join(f"{float(cost):,.1f} at {significant(x, 4)}" for x, cost in option.points)
    return f"{points} {_OVER[option.over]}"


def _about(prediction: Prediction) -> str:
    return "" if prediction.rate_exact else "about "


_WORTH_SAYING = Fraction(1, 100)  # of the kernel's instructions


def _range(prediction: Prediction) -> str:
    """Between what the overhead lies, where delay queues were measured with other numbers of tasks only."""
    kernel, (less, more) = prediction.kernel_per_second, prediction.uncertain_per_second
    if less + more <= kernel * _WORTH_SAYING:
        return ""
    low, high = (
        significant(prediction.overhead_percent * (kernel + one) / kernel) for one in (-less, more)
    )
    return f"; {low} to {high} %, as what the delay queue costs was measured with fewer and with more tasks"


def _per_job(prediction: Prediction, jobs: int, unit: str) -> str:
    if jobs == 0:
        return "no job in the window"
    return f"{float(prediction.kernel_instructions / jobs):.0f} kernel {unit} a job"
