# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a measured run came to. result_json.py has it as build/<system>/result.json.

Counts are integers, times and quotients exact fractions. What follows from other fields (kernel, per job,
percent, ratio) is a property, so that it cannot disagree with them. Nothing here depends on when or where
the run took place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.figures import significant
from horolog.model.baseline import Baseline
from horolog.model.deadlines import Deadlines
from horolog.model.exceptions import ExceptionCycles, Exceptions
from horolog.model.plan import Planned

__all__ = [
    "CYCLES",
    "Candidate",
    "Excess",
    "INSTRUCTIONS",
    "Instructions",
    "Interruptions",
    "Interrupts",
    "MemoryBytes",
    "Response",
    "Result",
    "Rival",
    "Side",
    "Suggestion",
    "TOLERATED",
    "candidates",
    "compare_sides",
    "why_invalid",
]

INSTRUCTIONS = "instructions"
"""What emulators count."""
CYCLES = "cycles"
"""What simulators count that are exact to the cycle."""

TOLERATED = Fraction(1, 10_000)
"""Of a period, by how much FreeRTOS may round it and still be compared: as much as a crystal is inexact."""

_CAVEATS = {
    INSTRUCTIONS: "Emulated instructions are not time on silicon: each counts as one, and QEMU charges "
    "nothing for the entry of an exception and the return from it.",
    CYCLES: "Cycles are those of the simulated core, with memory that never lets it wait: exact for that, "
    "and not time on silicon.",
}
"""What counted figures are not, by the unit: it stands beside them wherever they are shown."""

_OF_ITSELF = (
    "Self-measured: by the firmware's own stamps, as exact as the counter that they come from."
)


@dataclass(frozen=True, slots=True)
class Interrupts:
    """Entries of timer-cell handlers in the window."""

    predicted: int
    taken: int
    # Instants served by an interrupt taken for another, or of a cell that has stopped:
    coalesced: int
    excess: int = 0  # of those taken: beyond the instants that their cells served

    @property
    def adds_up(self) -> bool:
        """Whether each interrupt that was predicted was taken or coalesced, and no other was taken."""
        return self.predicted == self.taken + self.coalesced and self.excess == 0


@dataclass(frozen=True, slots=True)
class Interruptions:
    """Timer interrupts during a job that released only tasks of lower priority (trace/interruptions.py)."""

    count: int
    kernel: int | None  # instructions, or cycles, that the kernel spent in them; None: not counted


@dataclass(frozen=True, slots=True)
class Instructions:
    """Instructions executed while counting, idle included; or cycles, on a board that counts those.

    `by_function` divides the kernel's part, and only that, by the function it was executed in
    ("?" where there is no symbol). Cycles that bodies take depend on what interrupts them (the core's
    pipeline fills again), so there `retired` says how many instructions they executed: that must be
    equal on two sides. ValueError if the numbers do not add up.
    """

    total: int
    bodies: int
    idle: int
    by_function: Mapping[str, int]
    unit: str = INSTRUCTIONS
    retired: int | None = (
        None  # in bodies, where `unit` is another; None: a firmware by itself knows none
    )

    def __post_init__(self) -> None:
        if self.unit == INSTRUCTIONS and self.retired is not None:
            raise ValueError(f"retired = {self.retired} beside a count of {self.unit}")
        if self.kernel < 0:
            raise ValueError(f"bodies and idle exceed the total of {self.total} {self.unit}")
        attributed = sum(self.by_function.values())
        if attributed != self.kernel:
            raise ValueError(
                f"by_function adds up to {attributed}, the kernel executed {self.kernel}"
            )

    @property
    def kernel(self) -> int:
        """Everything outside task bodies and the idle loop (docs/adr/0009-overhead.md)."""
        return self.total - self.bodies - self.idle

    @property
    def work(self) -> int:
        """Instructions executed in bodies."""
        return self.bodies if self.retired is None else self.retired


@dataclass(frozen=True, slots=True)
class Response:
    """From a task's nominal releases, or its activations, to the ends of its jobs, in nanoseconds."""

    min_ns: Fraction
    mean_ns: Fraction
    max_ns: Fraction


@dataclass(frozen=True, slots=True)
class Aside:
    """What Horolog did beside the plan's releasers: for budgets, or at the points of tables.

    The interrupts of its cell, which may serve the application, too; and what was predicted of it.
    """

    what: str
    cell: str | None  # None: it has none of its own
    predicted: int | None  # interrupts; None: not predicted
    taken: int | None
    kernel: Fraction | None  # predicted, in the window; None: not predicted
    not_predicted: str | None  # what is not, and why


@dataclass(frozen=True, slots=True)
class MemoryBytes:
    """What a firmware takes, the same bodies in both kernels', without the stack of handlers."""

    program: int  # code, constants and initial values: what is loaded
    variables: int  # without stacks
    stacks: int  # of threads
    tables: int = 0  # of the program: read-only tables of releases, by the plan


@dataclass(frozen=True, slots=True)
class Side:
    """One kernel's run. `instructions` is None where nothing is counted (the host port)."""

    mechanism: str
    jobs: int
    deadline_misses: int
    overruns: int
    interrupts: Interrupts
    instructions: Instructions | None
    response: Mapping[str, Response]  # of tasks that finished a job
    interruptions: Interruptions | None = None
    rounded: Fraction = Fraction(0)  # by how much of itself the period was that was rounded most
    kernel_predicted: Fraction | None = (
        None  # instructions; None: of another kernel, or not counted
    )
    beside: tuple[Aside, ...] = ()
    # Of a side that uses more cores than Horolog's: what the other one counted, which its share is of, too.
    share_of: int | None = None
    memory: MemoryBytes | None = None  # None: the host port's, or that of several cores
    doorbells: int | None = (
        None  # of FreeRTOS on several cores: how often one asked another to switch
    )
    exceptions: Exceptions | None = None  # None: not counted
    cells: int | None = None  # timer cells that it takes

    @property
    def counted(self) -> Instructions:
        """`instructions`, of a board that counts them."""
        assert self.instructions is not None
        return self.instructions

    @property
    def unit(self) -> str:
        """What the figures of the kernel count."""
        return INSTRUCTIONS if self.instructions is None else self.instructions.unit

    @property
    def kernel_per_job(self) -> Fraction | None:
        """Instructions or cycles of the kernel for each job; None if not counted, or without jobs."""
        if self.instructions is None or self.jobs == 0:
            return None
        return Fraction(self.instructions.kernel, self.jobs)

    @property
    def exceptions_per_job(self) -> Fraction | None:
        """Entries of handlers for each job; None if not counted, or without jobs."""
        if self.exceptions is None or self.jobs == 0:
            return None
        return Fraction(self.exceptions.taken, self.jobs)

    @property
    def overhead_percent(self) -> Fraction | None:
        """The kernel's share of all instructions or cycles, idle included; None if not counted."""
        if self.instructions is None or self.instructions.total == 0:
            return None
        of = self.instructions.total if self.share_of is None else self.share_of
        return Fraction(100 * self.instructions.kernel, of)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One mechanism that planning considered; the figures are None if it cannot serve the system."""

    mechanism: str
    chosen: bool
    reason: str
    cells: tuple[str, ...]
    interrupts: int | None
    required: int | None
    kernel_instructions: Fraction | None
    overhead_percent: Fraction | None


@dataclass(frozen=True, slots=True)
class Excess:
    """A body that took longer than its task's WCET: then what was planned, and analysed, does not hold.

    The longest job of the task, in seconds of execution, and how long it was allowed to be.
    """

    task: str
    executed: Fraction
    wcet: Fraction


@dataclass(frozen=True, slots=True)
class Rival:
    """A FreeRTOS side other than the stock one: its run, or why there is none."""

    baseline: Baseline
    side: Side | None
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What would be better than the description as it is, in words, with the line to write there."""

    text: str
    line: str
    before: Fraction | None = None  # predicted, in percent of the processor
    after: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """Everything in result.json. `freertos` is the stock side, `rivals` are the others asked for."""

    system: str
    board: str
    versions: Mapping[str, str]  # of whatever could change a number: compiler, emulator, kernels
    commands: tuple[str, ...]  # that reproduce the run
    window_s: Fraction
    horolog: Side
    freertos: Side | None
    alternatives: tuple[Candidate, ...]
    not_compared: str | None = None  # why there is no FreeRTOS side
    notes: tuple[str, ...] = ()  # what a reader has to know, such as a raised tick rate
    # Horolog again, all tasks as basic tasks, by the planner's choice for them.
    basic: Side | None = None
    no_basic: str | None = None  # why there is no such side, if one was asked for
    warnings: tuple[str, ...] = ()  # the compiler's, of the user's sources
    deadlines: Deadlines | None = None  # what the analysis of the plan says; None: there was none
    # WCETs that bodies exceeded, the worst first: not a valid run.
    exceeded: tuple[Excess, ...] = ()
    rivals: tuple[Rival, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()  # at most three, each tried, the best first
    exception_cycles: ExceptionCycles | None = None  # None: no ratio with these is given, and why:
    no_exceptions: str | None = None
    by_itself: bool = False  # the firmware's own record of its run, on whatever a gdb server showed

    @property
    def unit(self) -> str:
        """What the figures of the kernels count: instructions or cycles."""
        return self.horolog.unit

    @property
    def hint(self) -> str | None:
        """Where WCETs are missing, what was measured of the deadlines; which is no proof.

        None also where nothing is counted: a body without a WCET takes no time there.
        """
        if self.deadlines is None or self.horolog.instructions is None:
            return None
        response = self.horolog.response
        return self.deadlines.hint({name: one.max_ns for name, one in response.items()})

    @property
    def caveat(self) -> str | None:
        """What the figures are not; None where nothing was counted."""
        if self.horolog.instructions is None:
            return None
        return _OF_ITSELF if self.by_itself else _CAVEATS[self.unit]

    @property
    def freertos_sides(self) -> dict[Baseline, Side]:
        """The FreeRTOS sides that were measured, the stock one first."""
        stock = {} if self.freertos is None else {Baseline.STOCK: self.freertos}
        return stock | {one.baseline: one.side for one in self.rivals if one.side is not None}

    @property
    def strongest(self) -> Baseline | None:
        """The FreeRTOS side that may be compared and costs least; None: there is none."""
        sides = self.freertos_sides
        fair = [one for one in sides if self.ratio_to(one) is not None]
        return min(fair, key=lambda one: sides[one].counted.kernel, default=None)

    def ratio_to(self, baseline: Baseline, *, basic: bool = False) -> Fraction | None:
        """The kernel instructions of that FreeRTOS side for each of Horolog's; with `basic`, of basic tasks'.

        None if that was not measured, or would not be fair.
        """
        ours, theirs = self.basic if basic else self.horolog, self.freertos_sides.get(baseline)
        if ours is None or theirs is None or self.exceeded:
            return None
        return compare_sides(ours, theirs)[0]

    def with_exceptions(self, side: Side) -> int | None:
        """The kernel's instructions on `side`, and the cycles of its exceptions; None if not known."""
        each = self.exception_cycles
        if each is None or side.exceptions is None or side.instructions is None:
            return None
        return side.instructions.kernel + side.exceptions.cycles(each)

    def ratio_with_exceptions(self, baseline: Baseline, *, basic: bool = False) -> Fraction | None:
        """As ratio_to, with the cycles of exceptions on both sides; None if these are not known, too."""
        if self.ratio_to(baseline, basic=basic) is None:
            return None
        ours = self.basic if basic else self.horolog
        assert ours is not None
        all_of_ours = self.with_exceptions(ours)
        theirs = self.with_exceptions(self.freertos_sides[baseline])
        return None if all_of_ours is None or theirs is None else Fraction(theirs, all_of_ours)

    def refused_to(self, baseline: Baseline) -> str | None:
        """Why there is no ratio to that FreeRTOS side; None if there is one, or if it was not asked for."""
        theirs = self.freertos_sides.get(baseline)
        if theirs is not None:
            return why_invalid(self.exceeded) or compare_sides(self.horolog, theirs)[1]
        if baseline is Baseline.STOCK:
            return self.not_compared
        return next((one.refused for one in self.rivals if one.baseline is baseline), None)

    @property
    def ratio(self) -> Fraction | None:
        """Stock FreeRTOS's kernel instructions for each of Horolog's; None if that would not be fair."""
        return self.ratio_to(Baseline.STOCK)

    @property
    def ratio_basic(self) -> Fraction | None:
        """Stock FreeRTOS's kernel instructions for each of Horolog's with all tasks as basic tasks."""
        return self.ratio_to(Baseline.STOCK, basic=True)

    @property
    def ratio_basic_refused(self) -> str | None:
        """Why there is no ratio for basic tasks; None if there is one, or if it was not asked for."""
        if self.freertos is None or self.basic is None:
            return self.no_basic
        return why_invalid(self.exceeded) or compare_sides(self.basic, self.freertos)[1]

    @property
    def ratio_refused(self) -> str | None:
        """Why there is no ratio; None if there is one, or if it was not asked for."""
        return self.refused_to(Baseline.STOCK)


def compare_sides(horolog: Side, freertos: Side) -> tuple[Fraction | None, str | None]:
    """The ratio freertos kernel / horolog kernel, or None and why the two may not be compared.

    Both must have done the same work: as many jobs, the same instructions in bodies (also where cycles
    are compared), and all of it in time (late tasks never block, so they look cheap).
    """
    for name, side in (("Horolog", horolog), ("FreeRTOS", freertos)):
        if side.deadline_misses:
            return None, f"{name} missed {side.deadline_misses} of {side.jobs} deadlines"
    if freertos.rounded > TOLERATED:
        rounding = significant(100 * freertos.rounded, 2)
        return None, f"FreeRTOS rounds periods, by up to {rounding} %"
    if horolog.jobs != freertos.jobs:
        return None, f"jobs differ: Horolog {horolog.jobs}, FreeRTOS {freertos.jobs}"
    ours, theirs = horolog.instructions, freertos.instructions
    if ours is None or theirs is None:
        return None, "no instructions are counted on this board"
    if ours.unit != theirs.unit:
        return None, f"Horolog's {ours.unit} were counted, FreeRTOS's {theirs.unit}"
    if ours.work != theirs.work:
        return (
            None,
            f"task bodies differ: Horolog {ours.work} instructions, FreeRTOS {theirs.work}",
        )
    if ours.kernel == 0:
        return None, f"no kernel {ours.unit.removesuffix('s')} was counted for Horolog"
    return Fraction(theirs.kernel, ours.kernel), None


def why_invalid(exceeded: Sequence[Excess]) -> str | None:
    """Why a run with these `exceeded` is not valid; None: it is valid."""
    return f'task "{exceeded[0].task}" ran longer than its WCET' if exceeded else None


def candidates(planned: Planned) -> tuple[Candidate, ...]:
    """The alternatives of `planned` as the result lists them, in its order."""
    rows = []
    for alternative in planned.alternatives:
        plan = alternative.plan
        prediction = None if plan is None else plan.prediction
        rows.append(
            Candidate(
                mechanism=alternative.mechanism,
                chosen=alternative.mechanism == planned.choice.mechanism,
                reason=alternative.reason,
                cells=() if plan is None else tuple(r.cell for r in plan.releasers),
                interrupts=None if prediction is None else prediction.interrupts,
                required=None if prediction is None else prediction.required,
                kernel_instructions=None if prediction is None else prediction.kernel_instructions,
                overhead_percent=None if prediction is None else prediction.overhead_percent,
            )
        )
    return tuple(rows)
