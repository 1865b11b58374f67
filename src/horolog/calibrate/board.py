# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures what each step of the kernel and each delay queue costs on a board: the planner's costs.toml.

Each cost comes from small systems that differ in one thing, measured like any other from outside the
firmware, so that it includes whatever the compiler made of it. Everything is deterministic: the same
tool versions give the same file.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from horolog.analyse import streams
from horolog.build.toolchains import tool_versions
from horolog.calibrate.basic import calibrate_basic, calibrate_basic_step
from horolog.calibrate.budgets import calibrate_budgets
from horolog.calibrate.calibration import Calibration
from horolog.calibrate.cell_points import calibrate_points
from horolog.calibrate.curves import (
    BY_SLOT,
    LADDER,
    Calls,
    curve_of,
    ladder_cases,
    measure_calls,
    over_of,
    slot_walk_of,
    slot_walks,
    streams_of,
    without_walks,
)
from horolog.calibrate.dispatched import calibrate_dispatched
from horolog.calibrate.expiries import calibrate_expiries
from horolog.calibrate.handlers import calibrate_handlers
from horolog.calibrate.in_kernel import LONE, MECHANISMS, WORKLOAD, in_kernel, measure_runs
from horolog.calibrate.line_queues import calibrate_line_queues
from horolog.calibrate.reach import within_reach
from horolog.calibrate.roomy_chip import roomy_chip
from horolog.calibrate.sharing import calibrate_levels, calibrate_sharing
from horolog.calibrate.sizes import Sizes, calibrate_sizes
from horolog.calibrate.stores import (
    COOPERATIONS,
    Spec,
    calibrate_cooperation,
    calibrate_masks,
    calibrate_steps,
)
from horolog.calibrate.workloads import Case
from horolog.calibrate.wraps import calibrate_wrap
from horolog.model import (
    QUEUES,
    Board,
    Cell,
    DeadlineCells,
    DispatcherTable,
    Exit,
    HorologError,
    Kind,
    Mode,
    Monitoring,
    Overrun,
    Place,
    Plan,
    PriorityRule,
    System,
    TablePoint,
    Task,
)
from horolog.model.board import CHIP_FILE
from horolog.model.result import Side
from horolog.plan import (
    NOTHING,
    SHAPES,
    Costs,
    Prices,
    QueueCosts,
    StepCosts,
    plan,
)
from horolog.plan.instants.several import share_of_general
from horolog.plan.prices.basic_costs import RELEASE_METHODS
from horolog.plan.prices.budget_costs import BudgetCosts
from horolog.plan.prices.expiry_costs import ExpiryCosts
from horolog.plan.prices.group_costs import LineQueueCosts
from horolog.plan.prices.handler_costs import HandlerCosts
from horolog.run import measure_plan

__all__ = [
    "INSERT",
    "Experiments",
    "calibrate",
    "calibrate_queues",
]

_MS = Fraction(1, 1000)
_MOST_AVR_DATA = 0x80F000  # addresses of data have 16 bits, and are these of the ELF file
_FASTER = 16  # of AVR, where a handler takes many cycles of a slow core
_FAST_HZ = 64_000_000  # of an STM32: enough for all experiments, and soon simulated
_QEMU_RAM = 0x40000  # bytes, where its machine has as many as it is told
_QUEUE_RAM = 0x40000  # of bench/queues/firmware and the workloads beside it
_UNSTEPPED = ("chains",)  # release methods over cells whose periods are whole numbers of counts
_WRAPPING = 4 * _MS  # a period that 16 bits hold behind small prescalers, too
_SWITCH = "hrli_cpu_switch"
INSERT = "hrli_sorted_list_insert"
_INSERT = (INSERT,)
_HANDLER_PARTS = ("ending", "general", "nested")  # kernel/assemble/one_shot_handler.h
_ARM = ("cell_0_arm",)
_DISARM = ("cell_0_disarm",)
_SELDOM, _OFTEN = Fraction(1, 4), Fraction(3, 4)  # how many intervals of a cell are a count longer
_LONE = 20  # tasks of distinct instants that are run with every queue
_WATCHED = (Spec(4 * _MS), Spec(8 * _MS, _MS), Spec(8 * _MS, 5 * _MS))  # with monitored deadlines
# Of a firmware that measures itself: what a job writes with its interrupts, and a tick of 1 ms in a second.
_JOB_RECORDS, _TICK_RECORDS = 13, 3000
_RUNNER_OF_CHIP = 'kind = "stm32", and cycles_hz, the frequency of the core: the simulator runs it'
_FEW_PERIODS = (3, 5, 7, 11)  # ms, and as many levels
_FEW = ((10, 4),)  # ms, tasks: a small system, for the queue's size


def calibrate(board: Board, say: Callable[[str], None]) -> Calibration:
    """Measure `board`. HorologError (2) if no instructions are counted there."""
    if board.runner.ns_per_step is None:
        raise HorologError(
            f"nothing to calibrate on board {board.name}: it counts no instructions",
            place=Place(str(board.directory / "board.toml"), key="runner.kind"),
            found=f'"{board.runner.kind}"',
            expected=_RUNNER_OF_CHIP
            if (board.directory / CHIP_FILE).is_file()
            else "a board with an emulator: horolog boards",
        )
    with tempfile.TemporaryDirectory(prefix="horolog-calibrate-") as folder:
        if board.runner.has_chip_file:
            board = roomy_chip(board, Path(folder))
        usual, board = _with_room(board), _with_room(board, whole=True)
        experiments = Experiments(board, Path(folder), say)
        made = experiments.calibration()
        if board.runner.ram_property is not None:
            made = replace(made, ram=_QEMU_RAM)
        made = replace(made, costs=replace(made.costs, wrap=experiments.wrap()))
        made = experiments.with_stores(made)
        if board.controller is not None:
            costs = replace(made.costs, step_basic=experiments.basic_step(made.costs.longer))
            basic = experiments.basic(costs, Experiments(usual, Path(folder), say))
            line_queues = experiments.line_queues(basic["queue"])
            made = replace(made, costs=costs, basic=basic, line_queues=line_queues)
            made = replace(
                made,
                deadlines=experiments.deadlines(),
                own_deadlines=experiments.own_deadlines("gcd"),
                own_deadlines_alone=experiments.own_deadlines("sloth"),
                budgets=experiments.budgets(),
            )
            points, moving = experiments.dispatched()
            made = replace(made, dispatched=points, moving_deadlines=moving)
        made = replace(made, expiries=experiments.expiries(), points=experiments.points())
        sizes = experiments.sizes()
        if sizes is not None:
            made = replace(made, flash=sizes.flash, variables=sizes.variables)
        if not (_has_queue_bench(board) and _has_room_for_queues(board)):
            return made
        made = replace(made, handlers=experiments.handlers())
        return replace(made, queues=calibrate_queues(board, Path(folder), say))


def _has_queue_bench(board: Board) -> bool:
    """Whether bench/queues/firmware is built for it, and runs in QEMU: a plugin there counts its calls."""
    return board.port.has_queue_bench and board.runner.kind == "qemu"


def _has_room_for_queues(board: Board) -> bool:
    """Whether hundreds of threads and nodes fit, as the benches of queues and handlers have."""
    return max((one.length for one in board.memory if one.name == "ram"), default=0) >= _QUEUE_RAM


def _with_room(board: Board, *, whole: bool = False) -> Board:
    """The board with as much RAM, and as many cycles a second, as its simulator or emulator can give it.

    Costs are cycles: they depend neither on what fits the chip nor on how fast it is, but the workloads that
    measure them do. `whole`: a millisecond is a whole number of counts.
    """
    hz = board.runner.cycles_hz
    if board.runner.ram_property is not None:
        return _with_ram(board, _QEMU_RAM)
    if hz is None:
        return board
    fractions = (hz * _MS).denominator if whole else 1
    least = -(-_FAST_HZ // hz) if board.runner.has_chip_file else _FASTER
    faster = -(-least // fractions) * fractions
    return replace(
        board,
        work_ns=board.work_ns / faster,
        runner=replace(board.runner, cycles_hz=hz * faster),
        clock=replace(board.clock, hz=board.clock.hz * faster),
        cells=tuple(replace(cell, hz=cell.hz * faster) for cell in board.cells),
        memory=tuple(
            replace(one, length=_MOST_AVR_DATA - one.origin)
            if one.name == "ram" and board.runner.kind == "simavr"
            else one
            for one in board.memory
        ),
    )


def _with_ram(board: Board, length: int) -> Board:
    return replace(
        board,
        memory=tuple(
            replace(one, length=length) if one.name == "ram" else one for one in board.memory
        ),
    )


def calibrate_queues(
    board: Board, folder: Path, say: Callable[[str], None]
) -> dict[str, QueueCosts]:
    """The costs of every queue of QUEUES on `board`, measured below `folder`."""
    ladders = ladder_cases()
    cases = [case for shape in SHAPES for case in ladders[shape]]
    calls = measure_calls(board, [WORKLOAD, *cases], folder / "calls", say)
    experiments = Experiments(board, folder, say)
    whole, few = experiments.workload(WORKLOAD.groups), experiments.workload(_FEW)
    plans = {one: (whole, plan(whole, mechanism=one, prices=NOTHING).choice) for one in MECHANISMS}
    small = few, plan(few, mechanism=MECHANISMS[0], prices=NOTHING).choice
    lone = ladders["distinct"][LADDER.index(_LONE)]
    system = experiments.lone(lone)
    plans[LONE] = system, plan(system, mechanism="one-shot", prices=NOTHING, alone=True).choice
    runs = measure_runs(plans, small, folder / "kernel", say)
    of_lone = 1 + cases.index(lone)
    figures = in_kernel(
        runs,
        {name: calls[name][0] for name in calls},
        {name: calls[name][of_lone] for name in calls},
    )
    made = {}
    walks = {shape: slot_walks(ladders[shape], board.clock.hz) for shape in SHAPES}
    for name in QUEUES:
        of_shape: dict[str, Sequence[Calls]] = {
            shape: calls[name][1 + cases.index(ladders[shape][0]) :][: len(ladders[shape])]
            for shape in SHAPES
        }
        slot_walk = Fraction(0)
        if name in BY_SLOT:
            inserts = [one.insert for one in of_shape["distinct"]]
            slot_walk = slot_walk_of(inserts, walks["distinct"])
            of_shape = {
                shape: without_walks(of_shape[shape], walks[shape], slot_walk) for shape in SHAPES
            }
        own = figures[name]
        made[name] = QueueCosts(
            over=over_of(name),
            ram=own.ram,
            ram_per_task=own.ram_per_task,
            rom=own.rom,
            job=own.job,
            job_one_shot=own.job_one_shot,
            interrupt_periodic=own.interrupt_periodic,
            interrupt_one_shot=own.interrupt_one_shot,
            curves={
                shape: curve_of(ladders[shape], of_shape[shape], over_of(name)) for shape in SHAPES
            },
            slot_walk=slot_walk,
        )
    return made


def _is_able(cell: Cell) -> bool:
    return cell.modes >= {Mode.PERIODIC, Mode.ONE_SHOT}


def _most_able_first(board: Board) -> tuple[Cell, ...]:
    """The order in which experiments take cells: first those that can be periodic and one-shot.

    Of these the ones that reach furthest go first, and then those that share no interrupt. The compare
    channels of a clock, which are one-shot only, come last.
    """

    def key(cell: Cell) -> tuple[bool, int, bool]:
        return not _is_able(cell), -cell.width, not board.has_own_interrupt(cell)

    return tuple(sorted(board.cells, key=key))


class Experiments:
    """What is measured of a board, one group of costs after the other; `say` is told what is run.

    `measure` builds and runs a system as a plan says, below a folder; None: measure_plan. With `records`,
    what it runs has room for so many, and systems last as long as that suffices.
    """

    def __init__(
        self,
        board: Board,
        folder: Path,
        say: Callable[[str], None],
        measure: Callable[[System, Plan, Path], Side] | None = None,
        records: int | None = None,
    ) -> None:
        self._measure = measure or measure_plan
        self._records = records
        self._by_itself = records is not None  # firmware says it, and knows no functions
        self._folder = folder
        self._say = say
        board = replace(board, cells=_most_able_first(board))
        self._board = board
        self._cell = board.cells[0]
        if not _is_able(self._cell):
            raise HorologError(f"board {board.name} has no cell that can be periodic and one-shot")
        port = board.port
        handlers = {cell.handler for cell in board.cells}
        entries = {f"{handler}_entry" for handler in handlers}  # where the port has one for each
        parts = {f"hrl_gen_{part}_0" for part in _HANDLER_PARTS}
        self._handlers = handlers | entries | parts | set(port.around_handlers)
        self._switch = (_SWITCH,) if port.switch is None else (port.switch, _SWITCH)

    def calibration(self) -> Calibration:
        """The steps that every plan is priced with."""
        one = [Spec(10 * _MS)]
        tick = self._run("an empty tick", one, "tick")
        gcd = self._run("a tick at the period", one, "gcd")
        skipping = self._run("a tick counted in software", one, "tick", divider=10)
        shot = self._run("one-shot, rearmed by every job", one, "one-shot")
        pair = [Spec(10 * _MS), Spec(10 * _MS, 5 * _MS)]
        apart = self._run("one-shot, rearmed by its interrupt", pair, "one-shot")
        short = self._run("20 tasks in one list", [Spec(10 * _MS)] * 20, "gcd")
        long = self._run("80 tasks in one list", [Spec(10 * _MS)] * 80, "gcd")
        many = [Spec(10 * _MS, priority=level + 1) for level in range(20)]
        spread = self._run("20 tasks on 20 levels", many, "gcd")
        own_levels, own_levels_one_shot = self._own_levels(many, spread)
        mixed = [Spec(base * k * _MS) for base in (3, 5, 7, 11) for k in range(1, 6)]
        usual = self._run("a mixture of periods", mixed, "chronos")

        empty = tick.interrupts.taken - gcd.interrupts.taken
        periodic = Fraction(tick.counted.kernel - gcd.counted.kernel, empty)
        release = Fraction(self._in_handlers(short) - self._in_handlers(gcd), short.jobs - gcd.jobs)
        required = Fraction(self._in_handlers(gcd), gcd.interrupts.taken) - periodic - release
        skip = (
            self._in_handlers(skipping)
            - gcd.interrupts.taken * (periodic + required)
            - gcd.jobs * release
        ) / (skipping.interrupts.taken - gcd.interrupts.taken)
        # Of tasks of one period each walks past those that ended before it: (n - 1) / 2 on average.
        walks = Fraction(80 - 1, 2) - Fraction(20 - 1, 2)
        walk = (_per_job(long, _INSERT) - _per_job(short, _INSERT)) / walks
        insert = _per_job(short, _INSERT) - walk * Fraction(20 - 1, 2)
        # Of 20 tasks of one level only the last empties its ring.
        part = (self._beyond_walks(spread) - self._beyond_walks(short)) / Fraction(20 - 1, 20)
        wait = insert + self._per_job_elsewhere(short) - part / 20
        switch = _per_job(usual, self._switch)
        # Two tasks half a period apart: each interrupt releases one and arms for the other.
        # A handler that ends with the switch saves one of the two that the plan charges.
        dispatch = Fraction(_in(gcd, self._switch), 2 * gcd.jobs)
        one_shot = (
            Fraction(apart.counted.kernel, apart.jobs)
            - (release + wait + part + walk)
            - 2 * dispatch
        )
        # Two tasks half a period apart in one-shot mode wait without arming; in periodic mode none arms.
        # What arms stands in a function of its own and belongs to the interrupt there.
        # There the insertion, past the other task, is part of the wait.
        waits = self._per_job_elsewhere(apart) - _per_job(apart, _ARM)
        alone = self._per_job_elsewhere(gcd) + insert
        if self._by_itself:  # all between jobs is one function there, with what levels take
            alone = _per_job(gcd, _INSERT)
        wait_one_shot = waits - alone - walk
        one_shot -= wait_one_shot
        # A single task leaves the store empty, so its interrupt disarms and its wait arms.
        rearm = self._per_job_elsewhere(shot) - _per_job(shot, _DISARM) - (waits - walk)
        hz = self._board.clock.hz
        third = Fraction(3 * (hz // 100) + 1, 3 * hz)  # about 10 ms, a third of a count beyond
        both = [Spec(third), Spec(third, third / 2)]
        thirds = self._run("one-shot, periods of no whole counts", both, "one-shot")
        fraction = self._per_job_elsewhere(thirds) - _per_job(thirds, _ARM) - waits
        whole = Fraction(self._in_handlers(gcd), gcd.interrupts.taken)
        low, high = (self._stepped(part) - whole for part in (_SELDOM, _OFTEN))
        longer = (high - low) / (_OFTEN - _SELDOM)
        return Calibration(
            self._board.name,
            Costs(
                interrupt_periodic=periodic,
                interrupt_one_shot=one_shot,
                divider_skip=skip,
                release=release,
                wait=wait,
                walk=walk,
                rearm=rearm,
                switch=switch,
                required=required,
                wait_one_shot=wait_one_shot,
                dispatch=dispatch,
                fraction=fraction,
                part=part,
                step=low - longer * _SELDOM,
                longer=longer,
                own_levels=own_levels,
                own_levels_one_shot=own_levels_one_shot,
            ),
            ", ".join(f"{name} {found}" for name, found in tool_versions(self._board).items()),
            cells=self._cells({Mode.PERIODIC: (one, "gcd"), Mode.ONE_SHOT: (pair, "one-shot")}),
            unit=self._board.runner.unit,
        )

    def _own_levels(self, many: Sequence[Spec], spread: Side) -> tuple[Fraction, Fraction]:
        """What a job takes less if each thread has a level of its own, and that more with a one-shot cell.

        `spread`: `many` tasks whose threads do not say that they wait for nothing else. Boards with fewer
        levels compare a few tasks, in both modes, as there it takes another part of their handlers.
        """

        def less(shared: Side, specs: Sequence[Spec], mechanism: str) -> Fraction:
            title = f"{len(specs)} tasks on levels of their own"
            own = self._run(title, specs, mechanism, shares=True)
            return self._beyond_walks(shared) - self._beyond_walks(own)

        if self._board.levels >= len(many):
            return less(spread, many, "gcd"), Fraction(0)
        few = [Spec(ms * _MS, priority=ms) for ms in _FEW_PERIODS]
        title = f"{len(few)} tasks on {len(few)} levels"
        periodic, one_shot = (
            less(self._run(title, few, mechanism), few, mechanism)
            for mechanism in ("gcd", "one-shot")
        )
        return periodic, one_shot - periodic

    def wrap(self) -> Fraction:
        """What an interrupt of the clock's counter takes."""
        return calibrate_wrap(
            lambda title: self._system(title, [Spec(_WRAPPING)]), self._cell.name, self._measured
        )

    def _stepped(self, part: Fraction) -> Fraction:
        """The handler's instructions for an interrupt of a cell with a period `part` beyond whole counts."""
        spec = Spec(10 * _MS + part / self._board.clock.hz)
        side = self._run(f"a cell with a period of {part} of a count more", [spec], "gcd")
        return Fraction(self._in_handlers(side), side.interrupts.taken)

    def _cells(
        self, experiments: Mapping[Mode, tuple[Sequence[Spec], str]]
    ) -> dict[Mode, dict[str, Fraction]]:
        """What an interrupt costs more by the cell's device than on the cell that steps are measured with."""
        found: dict[Mode, dict[str, Fraction]] = {}
        for mode, (specs, mechanism) in experiments.items():
            able = {cell.device: cell for cell in reversed(self._board.cells) if mode in cell.modes}
            each = {
                device: self._run(f"{mode.value} on {cell.name}", specs, mechanism, cell=cell.name)
                for device, cell in able.items()
            }
            reference = each[self._cell.device]
            found[mode] = {
                device: Fraction(side.counted.kernel, side.jobs)
                - Fraction(reference.counted.kernel, reference.jobs)
                for device, side in sorted(each.items())
                if side is not reference
            }
        return found

    def with_stores(self, made: Calibration) -> Calibration:
        """`made`, and what the stores without a queue cost, and cooperation."""
        stores = calibrate_steps(self._system, self._measured, made.costs)
        alike = not self._by_itself  # else systems last as long as they may, and totals say nothing
        if alike:
            made = replace(made, sharing=calibrate_sharing(self._system, self._measured))
        stores = calibrate_levels(self._system, self._measured, made.costs, stores)
        general = self._general(Prices(made.costs, cells=made.cells))
        made = replace(made, costs=replace(made.costs, general=general))
        prices = Prices(made.costs, stores=stores, cells=made.cells)
        able = sum(_is_able(cell) for cell in self._board.cells)
        if able > 1:
            masks = calibrate_masks(self._system, self._measured, prices)
            made = replace(made, costs=replace(made.costs, masks=masks))
        partners = max(len(one.partners) for one in COOPERATIONS)
        if not alike or able < partners or len(self._board.cells) <= partners:
            return replace(made, stores=stores)
        return replace(
            made,
            stores=stores,
            cooperation=calibrate_cooperation(self._system, self._measured, prices),
            cooperation_by_queue=calibrate_cooperation(
                self._system, self._measured, prices, "sorted-list"
            ),
        )

    def _general(self, prices: Prices) -> Fraction:
        """What an instant of a one-shot cell takes more that releases several threads, or the only one.

        Where handlers have no straight path (docs/adr/0018) that is little.
        """
        specs = [Spec(5 * _MS), Spec(10 * _MS)]
        title = "one-shot, two tasks that meet"
        system = within_reach(self._system(title, specs))
        chosen = plan(
            system, mechanism="one-shot", queue="sorted-list", prices=prices, alone=True
        ).choice
        side = self._measured(title, system, chosen)
        share = share_of_general(streams(system), self._board.clock.hz)
        several = share * side.interrupts.predicted
        return (side.counted.kernel - chosen.prediction.kernel_instructions) / several

    def handlers(self) -> dict[tuple[str, Mode], HandlerCosts]:
        """How long the handlers of cells are."""
        return calibrate_handlers(self._system, self._folder / "built", self._say)

    def sizes(self) -> Sizes | None:
        """What systems take of flash and of RAM."""
        basic = None if self._board.controller is None else self._basic_system
        return calibrate_sizes(self._system, basic, self._folder / "built", self._say)

    def basic(self, costs: Costs, usual: Experiments) -> dict[str, StepCosts]:
        """What basic tasks cost; `costs` has what a cell takes that steps.

        They are measured by `usual`, with the steps that milliseconds take there: what counted interrupts,
        rows and lines take then has no price of its own. Chains, whose cells cannot step, are measured here.
        """
        some = [one for one in RELEASE_METHODS if one not in _UNSTEPPED]
        found = calibrate_basic(usual._basic_system, usual._measured, costs, some)
        return found | calibrate_basic(self._basic_system, self._measured, costs, _UNSTEPPED)

    def basic_step(self, longer: Fraction) -> Fraction:
        """What an interrupt of a stepped cell costs more, of basic tasks, without what `longer` has."""
        return calibrate_basic_step(self._basic_system, self._measured, longer)

    def deadlines(self) -> dict[str, Fraction]:
        """What a monitored deadline adds to a job, by the device of the cell that monitors it."""
        able = {cell.device: cell for cell in self._board.cells if Mode.ONE_SHOT in cell.modes}
        if len(self._board.cells) == 1:
            return {}
        return {device: self._deadline([cell], "gcd") for device, cell in sorted(able.items())}

    def budgets(self) -> dict[tuple[str, str], BudgetCosts]:
        """What execution budgets that hold add, by how they are counted and the device of the cell."""
        return calibrate_budgets(self._basic_system, self._measured)

    def dispatched(self) -> tuple[dict[str, Fraction], ...]:
        """What points of controlled dispatcher tables cost more, and deadlines that a global time moves."""
        return calibrate_dispatched(self._board, self._measured, self._folder)

    def expiries(self) -> ExpiryCosts | None:
        """What points of schedule tables by the clock cost."""
        return calibrate_expiries(self._system, self._measured, self._folder)

    def points(self) -> dict[str, Fraction]:
        """What points of tables in timer cells cost."""
        return calibrate_points(self._system, self._measured, self._folder)

    def own_deadlines(self, mechanism: str) -> dict[str, Fraction]:
        """The same if each task has such a cell, by the device; `mechanism` releases the tasks."""
        able: dict[str, list[Cell]] = {}
        for cell in self._board.cells:
            if cell.moves_compare:
                able.setdefault(cell.device, []).append(cell)
        return {
            device: self._deadline(cells[-len(_WATCHED) :], mechanism)
            for device, cells in sorted(able.items())
            if len(cells) > len(_WATCHED)
        }

    def _deadline(self, cells: Sequence[Cell], mechanism: str) -> Fraction:
        title = f"deadlines that hold by {mechanism}, beside {cells[0].name}"
        others = tuple(one.name for one in self._board.cells if one not in cells)
        system = replace(self._basic_system(title, _WATCHED), cells=others)
        chosen = plan(system, mechanism=mechanism, prices=NOTHING).choice
        every = system.tasks[0].period
        points = (
            TablePoint(task.offset + number * task.period, index, every / 2)
            for index, task in enumerate(system.tasks)
            for number in range(int(2 * every / task.period))
        )
        table = DispatcherTable(
            "table",
            2 * every,
            tuple(sorted(points, key=lambda point: point.offset)),
            Place("calibration"),
            Monitoring.STRINGENT,
            DeadlineCells(tuple(cell.name for cell in cells), each=len(cells) > 1),
        )
        without = self._measured(title, system, chosen)
        tasks = tuple(replace(task, monitored=True) for task in system.tasks)
        monitored = replace(system, tasks=tasks, tables=(table,))
        watched = self._measured(
            f"deadlines that hold by {mechanism}, monitored by {', '.join(cell.name for cell in cells)}",
            monitored,
            chosen,
        )
        return Fraction(watched.counted.kernel - without.counted.kernel, watched.jobs)

    def line_queues(self, steps: StepCosts) -> dict[str, LineQueueCosts]:
        """What the delay queues of their groups cost beyond `steps`."""
        return calibrate_line_queues(self._basic_system, self._measured, steps)

    def _basic_system(self, title: str, specs: Sequence[Spec]) -> System:
        # In cycles idling is what takes the time; nothing waits for long enough to be told from less.
        faster = 1 if self._board.runner.ns_per_cycle is None else 5
        often = [replace(spec, period=spec.period / faster) for spec in specs]
        system = self._system(title, often)
        tasks = tuple(replace(task, kind=Kind.BASIC) for task in system.tasks)
        return replace(system, tasks=tasks, duration=system.duration / faster)

    def workload(self, groups: Iterable[tuple[int, int]]) -> System:
        """A system with so many tasks of each period, as (ms, tasks)."""
        specs = [Spec(ms * _MS) for ms, tasks in groups for _ in range(tasks)]
        return self._system(f"{len(specs)} tasks", specs)

    def lone(self, case: Case) -> System:
        """The system of `case`, with a period and an offset for each task."""
        specs = [Spec(stream.period, stream.offset) for stream in streams_of(case)]
        return self._system(f"{len(specs)} tasks of distinct instants", specs)

    def _run(
        self,
        title: str,
        specs: Sequence[Spec],
        mechanism: str,
        divider: int = 1,
        cell: str | None = None,
        shares: bool = False,
    ) -> Side:
        system = self._system(title, specs)
        if shares:
            system = replace(system, tasks=tuple(replace(t, shares=True) for t in system.tasks))
        if cell is not None:
            system = replace(system, cells=(cell,))
        if mechanism == "one-shot":
            system = within_reach(system)
        chosen: Plan = plan(system, mechanism=mechanism, prices=NOTHING).choice
        if divider > 1:
            (releaser,) = chosen.releasers
            chosen = replace(chosen, releasers=(replace(releaser, divider=divider),))
        return self._measured(title, system, chosen)

    def _measured(self, title: str, system: System, chosen: Plan) -> Side:
        """What a system came to that is run as `chosen`; `title` is said before."""
        self._say(title)
        side = self._measure(system, chosen, self._folder / "built")  # the kernel but once
        if side.deadline_misses or side.jobs == 0:
            raise HorologError(
                f"calibration does not hold on board {self._board.name}: {title}",
                found=f"{side.deadline_misses} of {side.jobs} deadlines missed",
                exit=Exit.TARGET_FAILED,
            )
        return side

    def _system(self, title: str, specs: Sequence[Spec]) -> System:
        here = Place("calibration")
        tasks = tuple(
            Task(
                name=f"task.{index}",
                period=spec.period,
                offset=spec.offset,
                deadline=spec.period,
                wcet=10 * self._board.work_ns / 10**9,
                body=None,
                work=10,
                stack=self._board.port.stacks.usual,
                overrun=Overrun.SKIP,
                kind=Kind.THREAD,
                priority=spec.priority,
                place=here,
                activations=spec.activations,
                terminates=spec.terminates,
            )
            for index, spec in enumerate(specs)
        )
        return System(
            name=title.replace(" ", "-").replace(",", "").replace(":", ""),
            path=self._folder / "system.toml",
            board=self._board,
            cells=tuple(cell.name for cell in self._board.cells),
            duration=self._duration(specs),
            priorities=PriorityRule.RATE_MONOTONIC
            if all(spec.priority is None for spec in specs)
            else PriorityRule.EXPLICIT,
            sources=(),
            tasks=tasks,
        )

    def _duration(self, specs: Sequence[Spec]) -> Fraction:
        if self._records is not None:
            rate = sum(_JOB_RECORDS / spec.period for spec in specs) + _TICK_RECORDS
            return min(Fraction(1), Fraction(int(self._records / rate * 1000), 1000))
        # In cycles a second is simulated in a minute, and nothing changes after a few periods.
        return Fraction(1) if self._board.runner.ns_per_cycle is None else Fraction(1, 5)

    def _in_handlers(self, side: Side) -> int:
        return _in(side, self._handlers)

    def _beyond_walks(self, side: Side) -> Fraction:
        """Per job, what is no insertion; or all, where no function is told apart: walks are equal, too."""
        if self._by_itself:
            return Fraction(side.counted.kernel, side.jobs)
        return Fraction(side.counted.kernel - _in(side, _INSERT), side.jobs)

    def _per_job_elsewhere(self, side: Side) -> Fraction:
        """What is neither handler, nor switch, nor walk."""
        known = self._in_handlers(side) + _in(side, self._switch) + _in(side, _INSERT)
        return Fraction(side.counted.kernel - known, side.jobs)


def _in(side: Side, names: Iterable[str]) -> int:
    return sum(side.counted.by_function.get(name, 0) for name in names)


def _per_job(side: Side, names: Iterable[str]) -> Fraction:
    return Fraction(_in(side, names), side.jobs)
