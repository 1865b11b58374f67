# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `queues`: what each delay queue costs on the target, in the thesis' four families.

The firmware is bench/queues/firmware; it is told what to run by generated cases. A plugin of the
emulator counts the instructions of each call, from outside. Everything is deterministic: the same tool
versions give the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from horolog.data import data_root
from horolog.model import Board, Exit, HorologError
from horolog.read import read_board
from horolog.read.distributions import AUTOMOTIVE_SHARES
from horolog.run.firmware import build_step
from horolog.run.image import read_image
from horolog.run.probe import compiled_plugin
from horolog.run.programs import call, require, version
from horolog.run.qemu import plugin_options, qemu_command

__all__ = [
    "BOARD",
    "LEVELS",
    "MOST_TASKS",
    "OPERATIONS",
    "QUEUES",
    "Case",
    "Queue",
    "Results",
    "Row",
    "automotive_counts",
    "cases_source",
    "cases_up_to",
    "measure_queues",
    "read_calls",
    "result_object",
    "rows_of",
    "targets",
]

BOARD = "mps2-an385"
LEVELS = ("O2", "O0")
OPERATIONS = ("insert", "first", "pop")
MOST_TASKS = 1500

_SECONDS = 1800
_HOMOGENEOUS_MS = 10
_HOMOGENEOUS_ROUNDS = 2
_ORDERS = ("ASCENDING", "DESCENDING", "EQUAL", "EXTREMES", "ONE_SLOT", "RANDOM")
_SAMPLES = (1, 2, *range(5, 151, 5), 300, 600, 1000, 1500)
_UNIFORM = (
    *range(1, 17),
    18,
    20,
    22,
    24,
    28,
    33,
    66,
    111,
    166,
)  # tasks of each of the nine periods
_AUTOMOTIVE = (85, 850, 1500)
_OURS = "calendar"


@dataclass(frozen=True, slots=True)
class Queue:
    """One that bench/queues/firmware/queues.c knows too."""

    name: str
    title: str
    source: str  # what its code is in, from the repository's root
    exact: bool = True  # it has the resolution of a count and the full horizon
    bench_only: bool = False


QUEUES = (
    Queue("sorted_list", "sorted list", "kernel/queue/sorted_list.c"),
    Queue("delta_list", "delta list", "kernel/queue/delta_list.c"),
    Queue("bucket", "bucket of ignorance", "kernel/queue/bucket.c"),
    Queue("binary_tree", "binary tree", "kernel/queue/binary_tree.c"),
    Queue("red_black_tree", "red-black tree", "kernel/queue/red_black_tree.c"),
    Queue("tree_234", "2-3-4 tree", "kernel/queue/tree_234.c"),
    Queue("array_heap", "array heap", "kernel/queue/array_heap.c"),
    Queue("pairing_heap", "pairing heap", "kernel/queue/pairing_heap.c"),
    Queue("timing_wheel", "timing wheel", "kernel/queue/timing_wheel.c"),
    Queue("hashed_wheel", "hashed wheel", "kernel/queue/hashed_wheel.c"),
    Queue("hierarchical_wheel", "hierarchical wheel", "kernel/queue/hierarchical_wheel.c"),
    Queue("calendar", "calendar", "kernel/queue/calendar.c"),
    Queue("thesis_heap", "heap, the thesis'", "bench/queues/thesis_heap.c", bench_only=True),
    Queue(
        "thesis_red_black_tree",
        "red-black tree, the thesis'",
        "bench/queues/thesis_red_black_tree.c",
        bench_only=True,
    ),
)


@dataclass(frozen=True, slots=True)
class Case:
    """One run: tasks with periods, as (ms, how many), or nodes whose keys follow an order."""

    family: str
    tasks: int
    order: str = "PERIODIC"
    groups: tuple[tuple[int, int], ...] = ()
    end_ms: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """What one operation of one queue cost in one family; `total` over all calls."""

    queue: str
    level: str
    family: str
    tasks: int
    operation: str
    calls: int
    best: int
    worst: int
    total: int

    @property
    def average(self) -> Fraction:
        """Instructions a call."""
        return Fraction(self.total, self.calls)


@dataclass(frozen=True, slots=True)
class Results:
    """The rows; RAM beside the nodes and ROM by level, in bytes, for 1,500 nodes; what they hold for."""

    rows: tuple[Row, ...]
    ram: Mapping[str, int]
    rom: Mapping[tuple[str, str], int]
    platform: str
    toolchain: str

    def row(self, queue: str, family: str, tasks: int, operation: str, level: str = "O2") -> Row:
        """The one row; KeyError if it was not measured."""
        for row in self.rows:
            if (row.queue, row.family, row.tasks) == (queue, family, tasks) and (
                row.operation,
                row.level,
            ) == (operation, level):
                return row
        raise KeyError((queue, family, tasks, operation, level))

    def sizes(self, family: str) -> list[int]:
        """The numbers of tasks measured in `family`, ascending."""
        return sorted({row.tasks for row in self.rows if row.family == family})

    def per_job(self, queue: str, family: str, tasks: int, level: str = "O2") -> Fraction:
        """Insert, first and pop of one job, on average; first as often as it is called for a pop."""
        insert, first, pop = (self.row(queue, family, tasks, o, level) for o in OPERATIONS)
        return insert.average + pop.average + Fraction(first.total, pop.calls)

    def crossover(self, queue: str, other: str, family: str, level: str = "O2") -> int | None:
        """From which number of tasks measured on `queue` is never dearer a job than `other`."""
        found = None
        for tasks in reversed(self.sizes(family)):
            mine = self.per_job(queue, family, tasks, level)
            if mine > self.per_job(other, family, tasks, level):
                break
            found = tasks
        return found


def automotive_counts(tasks: int) -> tuple[tuple[int, int], ...]:
    """(ms, tasks) of the automotive distribution; what does not divide goes by largest remainder."""
    percent = sum(AUTOMOTIVE_SHARES.values())
    exact = {ms: Fraction(share * tasks, percent) for ms, share in AUTOMOTIVE_SHARES.items()}
    counts = {ms: int(value) for ms, value in exact.items()}
    left = tasks - sum(counts.values())
    by_remainder = sorted(exact, key=lambda ms: (counts[ms] - exact[ms], ms))
    for ms in by_remainder[:left]:
        counts[ms] += 1
    return tuple(counts.items())


def cases_up_to(most: int) -> tuple[Case, ...]:
    """The four families, as far as they have at most `most` tasks."""
    cases = [Case("worst", n, order) for n in _SAMPLES for order in _ORDERS]
    cases += [
        Case(
            "homogeneous",
            n,
            groups=((_HOMOGENEOUS_MS, n),),
            end_ms=_HOMOGENEOUS_ROUNDS * _HOMOGENEOUS_MS,
        )
        for n in _SAMPLES
    ]
    hyperperiod = max(AUTOMOTIVE_SHARES)  # every other period divides it
    cases += [
        Case(
            "uniform",
            each * len(AUTOMOTIVE_SHARES),
            groups=tuple((ms, each) for ms in AUTOMOTIVE_SHARES),
            end_ms=hyperperiod,
        )
        for each in _UNIFORM
    ]
    cases += [
        Case("automotive", n, groups=automotive_counts(n), end_ms=hyperperiod) for n in _AUTOMOTIVE
    ]
    return tuple(case for case in cases if case.tasks <= most)


def cases_source(queue: str, cases: Sequence[Case], hz: int) -> str:
    """The C source that tells the firmware what to run."""

    def counts(ms: int) -> int:
        return ms * hz // 1000

    # REUSE-IgnoreStart
    lines = [
        "/* SPDX-License-Identifier: 0BSD */",
        # REUSE-IgnoreEnd
        "/* Written by: horolog bench queues */",
        '#include "bench_case.h"',
        "",
        f'const char bench_queue_name[] = "{queue}";',
        "",
    ]
    entries = []
    for index, case in enumerate(cases):
        name = "NULL"
        if case.groups:
            name = f"groups_{index}"
            groups = ", ".join(f"{{{counts(ms)}u, {tasks}u}}" for ms, tasks in case.groups)
            lines.append(f"static const struct bench_group {name}[] = {{{groups}}};")
        entries.append(
            f"    {{BENCH_{case.order}, {case.tasks}u, {counts(case.end_ms)}u, {name}, "
            f"{len(case.groups)}u}},"
        )
    lines += ["", "const struct bench_case bench_cases[] = {", *entries, "};"]
    lines.append(f"const size_t bench_case_count = {len(cases)}u;")
    return "\n".join(lines) + "\n"


def read_calls(text: str) -> dict[tuple[int, str], tuple[int, int, int, int]]:
    """What the plugin wrote: by case and operation, calls, least, most and sum."""
    lines = text.splitlines()
    if not lines or lines[-1] != "done":
        raise HorologError(
            "the bench's firmware did not come to its end",
            found=text[-200:],
            exit=Exit.TARGET_FAILED,
        )
    found = {}
    for line in lines[:-1]:
        case, kind, calls, least, most, total = map(int, line.split()[1:])
        found[case, OPERATIONS[kind]] = (calls, least, most, total)
    return found


def rows_of(
    queue: str,
    level: str,
    cases: Sequence[Case],
    calls: Mapping[tuple[int, str], tuple[int, int, int, int]],
) -> list[Row]:
    """One row an operation, family and number of tasks: the orders of the worst case are one row."""
    merged: dict[tuple[str, int, str], tuple[int, int, int, int]] = {}
    for index, case in enumerate(cases):
        for operation in OPERATIONS:
            new = calls[index, operation]
            if new[0] == 0:
                continue
            key = case.family, case.tasks, operation
            old = merged.get(key)
            merged[key] = (
                new
                if old is None
                else (old[0] + new[0], min(old[1], new[1]), max(old[2], new[2]), old[3] + new[3])
            )
    return [
        Row(queue, level, family, tasks, operation, number, least, most, total)
        for (family, tasks, operation), (number, least, most, total) in merged.items()
    ]


def measure_queues(out: Path, most: int, say: Callable[[str], None]) -> Results:
    """Build and run everything with at most `most` tasks, below the folder `out`."""
    board = read_board(BOARD)
    cases = cases_up_to(most)
    say(f"building {len(QUEUES)} queues, {' and '.join('-' + level for level in LEVELS)}")
    binaries = _build(board, cases, out)
    plugin = compiled_plugin("horolog_calls")
    jobs = [(queue.name, level) for level in reversed(LEVELS) for queue in QUEUES]

    def run(job: tuple[str, str]) -> list[Row]:
        queue, level = job
        say(f"running {queue} -{level}: {len(cases)} cases")
        return rows_of(queue, level, cases, _run(board, binaries / f"{level}_{queue}.elf", plugin))

    with ThreadPoolExecutor(2) as pool:
        measured = dict(zip(jobs, pool.map(run, jobs), strict=True))
    rows = [row for level in LEVELS for queue in QUEUES for row in measured[queue.name, level]]
    sizes = read_image(binaries / f"O2_{QUEUES[0].name}.elf").sizes
    return Results(
        rows=tuple(rows),
        ram={
            q.name: sizes[f"bench_storage_{q.name}"] + sizes.get(f"bench_array_{q.name}", 0)
            for q in QUEUES
        },
        rom={(q.name, level): _rom(binaries, level, q) for level in LEVELS for q in QUEUES},
        platform=f"{board.title}, QEMU {version('qemu-system-arm')}",
        toolchain=f"arm-none-eabi-gcc {version('arm-none-eabi-gcc')}",
    )


def _build(board: Board, cases: Sequence[Case], out: Path) -> Path:
    require("arm-none-eabi-gcc", "cmake", "ninja", "qemu-system-arm")
    generated, binaries = out / "gen", out / "cmake"
    generated.mkdir(parents=True, exist_ok=True)
    for queue in QUEUES:
        text = cases_source(queue.name, cases, board.clock.hz)
        (generated / f"{queue.name}.c").write_text(text, encoding="ascii")
    root = data_root()
    configure = [
        "cmake",
        "-S",
        str(root / "bench" / "queues" / "firmware"),
        "-B",
        str(binaries),
        "-G",
        "Ninja",
        f"-DHRL_ROOT={root}",
        f"-DHRL_BOARD_DIRECTORY={board.directory}",
        f"-DHRL_BENCH_GENERATED={generated.resolve()}",
        f"-DHRL_BENCH_QUEUES={','.join(queue.name for queue in QUEUES)}",
        f"-DCMAKE_TOOLCHAIN_FILE={root / 'cmake' / 'toolchain' / f'{board.arch}.cmake'}",
        f"-DHRL_CPU={board.cpu}",
    ]
    build_step("configuring", call(configure, seconds=_SECONDS))
    build_step("compiling", call(["cmake", "--build", str(binaries)], seconds=_SECONDS))
    return binaries


def _run(board: Board, elf: Path, plugin: Path) -> dict[tuple[int, str], tuple[int, int, int, int]]:
    image = read_image(elf)
    out, config = elf.with_suffix(".calls"), elf.with_suffix(".watch")
    lines = [f"out {out.resolve()}"]
    for operation in OPERATIONS:
        start, end = (image.address(f"bench_{operation}_{mark}") for mark in ("from", "to"))
        lines.append(f"call {start:#x} {end:#x}")
    for word, symbol in (
        ("begin", "bench_case_begin"),
        ("end", "bench_case_end"),
        ("done", "bench_done"),
    ):
        lines.append(f"{word} {image.address(symbol) & ~1:#x}")
    config.write_text("\n".join(lines) + "\n", encoding="utf-8")
    out.unlink(missing_ok=True)
    done = call([*qemu_command(board, elf), *plugin_options(plugin, config)], seconds=_SECONDS)
    if done.status != 0 or not out.is_file():
        raise HorologError(
            f"the firmware {elf.name} failed",
            found=done.errors.strip()[-1000:] or f"status {done.status}",
            exit=Exit.TARGET_FAILED,
        )
    return read_calls(out.read_text(encoding="ascii"))


def _rom(binaries: Path, level: str, queue: Queue) -> int:
    """Bytes of code: the queue's object file, and what of its header the table took the address of."""
    objects = binaries / "CMakeFiles" / f"queues_{level}.dir"
    (own,) = objects.rglob(f"{Path(queue.source).name}.obj")
    prefix = f"bench_{queue.name}_" if queue.bench_only else f"hrli_{queue.name}_"
    with own.open("rb") as stream:
        code = sum(
            section["sh_size"]
            for section in ELFFile(stream).iter_sections()
            if section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR
        )
    with (objects / "queues.c.obj").open("rb") as stream:
        symbols = ELFFile(stream).get_section_by_name(".symtab")
        assert isinstance(symbols, SymbolTableSection)
        code += sum(s["st_size"] for s in symbols.iter_symbols() if s.name.startswith(prefix))
    return int(code)


def _share(results: Results) -> Fraction:
    others = [q.name for q in QUEUES if q.exact and not q.bench_only and q.name != _OURS]
    best = min(results.per_job(name, "automotive", 85) for name in others)
    return results.per_job(_OURS, "automotive", 85) / best


def _late_crossover(results: Results) -> int | None:
    found = [results.crossover(_OURS, "sorted_list", f) for f in ("homogeneous", "uniform")]
    return None if None in found else max(n for n in found if n is not None)


_TARGETS: tuple[tuple[str, str, float, str, Callable[[Results], Any]], ...] = (
    (
        "insert, automotive, n = 1,500, average",
        "<=",
        60,
        "instructions",
        lambda r: r.row(_OURS, "automotive", 1500, "insert").average,
    ),
    (
        "insert, automotive, n = 1,500, worst",
        "<=",
        100,
        "instructions",
        lambda r: r.row(_OURS, "automotive", 1500, "insert").worst,
    ),
    (
        "pop, n = 1,500, average",
        "<=",
        40,
        "instructions",
        lambda r: r.row(_OURS, "automotive", 1500, "pop").average,
    ),
    (
        "worst insert over all adversarial inputs, n = 1,500",
        "<=",
        250,
        "instructions",
        lambda r: r.row(_OURS, "worst", 1500, "insert").worst,
    ),
    (
        "insert + first + pop at n = 85, share of the best other queue that has count resolution "
        "and the full horizon",
        "<=",
        1.0,
        "ratio",
        _share,
    ),
    ("crossover with the list, tasks", "<=", 20, "tasks", _late_crossover),
    (
        "extra RAM at n = 85, 1 ms slots, bytes (configurable down to 256)",
        "<=",
        1536,
        "bytes",
        lambda r: r.ram[_OURS] - r.ram["sorted_list"],  # its slots do not depend on n
    ),
)


def targets(results: Results) -> list[dict[str, Any]]:
    """The issue's table, unchanged. What was not measured is null and says why."""
    made = []
    for name, sense, target, unit, measure in _TARGETS:
        reason, value = None, None
        if all(queue.name != _OURS for queue in QUEUES):
            reason = "the queue calendar does not exist yet"
        else:
            try:
                value = measure(results)
            except KeyError:
                reason = "not measured: the run was limited to fewer tasks"
            else:
                if value is None:
                    reason = "not reached at any number of tasks measured"
        met = value is not None and value <= target
        one = {
            "name": name,
            "target": target,
            "sense": sense,
            "measured": _plain(value),
            "unit": unit,
            "met": met,
        }
        made.append(one if reason is None else {**one, "reason": reason})
    return made


def _plain(value: Fraction | int | None) -> float | int | None:
    return round(float(value), 3) if isinstance(value, Fraction) else value


def result_object(results: Results) -> dict[str, Any]:
    """result.json, by design.md, section 7."""
    rows = [
        {
            "queue": row.queue,
            "level": f"-{row.level}",
            "family": row.family,
            "tasks": row.tasks,
            "operation": row.operation,
            "calls": row.calls,
            "best": row.best,
            "average": _plain(row.average),
            "worst": row.worst,
            "unit": "instructions",
            "platform": results.platform,
        }
        for row in results.rows
    ]
    memory = [
        {
            "queue": queue.name,
            "ram": results.ram[queue.name],
            "rom_O2": results.rom[queue.name, "O2"],
            "rom_O0": results.rom[queue.name, "O0"],
            "unit": "bytes",
            "platform": results.platform,
        }
        for queue in QUEUES
    ]
    return {
        "bench": "queues",
        "toolchain": results.toolchain,
        "targets": targets(results),
        "rows": [*rows, *memory],
    }
