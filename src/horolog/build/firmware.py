# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""From generated sources to ELF files, by CMake and Ninja."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from pathlib import Path

from horolog.build.compiled import Compiled, compiled_before
from horolog.build.image_checks import check_image, check_image_of_cores, check_memory
from horolog.build.link_errors import link_problems, missing_names
from horolog.build.moved import remove_moved
from horolog.build.output import Step, Warned, build_steps, keep_warnings
from horolog.build.own_vectors import NO_FREERTOS_BESIDE, check_own_vectors
from horolog.build.ring import Ring, write_ring
from horolog.build.toolchain_file import toolchain_file
from horolog.calls import (
    FRAMES_HEADER,
    check_without_threads,
    settle_frames,
)
from horolog.data import data_root
from horolog.emit import (
    Tick,
    generated_files,
    generated_files_for_cores,
    nearest_tick,
    tick_of,
)
from horolog.filenames import unbuildable, unbuildable_error
from horolog.model import (
    ON_SEVERAL_CORES,
    Baseline,
    Board,
    CorePlan,
    HorologError,
    Plan,
    System,
    TargetFailed,
)
from horolog.programs import Finished, call, require
from horolog.read.problems import raise_all

__all__ = [
    "TARGETS",
    "Firmware",
    "Target",
    "build_firmware",
    "build_firmware_for_cores",
    "build_step",
]

_SECONDS = 600


class Target(Enum):
    """What can be built of a system; the values are the names in cmake/firmware."""

    HOROLOG = "horolog"
    FREERTOS = "freertos"
    FREERTOS_TICKLESS = "freertos_tickless"
    FREERTOS_RATE_GROUP = "freertos_rate_group"
    FREERTOS_NOTIFY = "freertos_notify"
    FREERTOS_ANY_CORE = "freertos_any_core"


TARGETS = {
    Baseline.STOCK: Target.FREERTOS,
    Baseline.RATE_GROUP: Target.FREERTOS_RATE_GROUP,
    Baseline.NOTIFY: Target.FREERTOS_NOTIFY,
    Baseline.ANY_CORE: Target.FREERTOS_ANY_CORE,
}

_OURS = "hrl_"  # how the names of all calls of the kernel begin
_WITH_GAPS = "horolog_with_gaps"  # in cmake/firmware: links in spite of missing functions


@dataclass(frozen=True, slots=True)
class Firmware:
    """What was built. `freertos` is the first of FreeRTOS's sides; None: none was built.

    `baselines` are all that were asked for and can be built, in the order in which they were asked for.
    """

    folder: Path
    horolog: Path
    freertos: Path | None
    notes: tuple[str, ...] = ()  # on what the code of basic tasks shows
    warnings: tuple[Warned, ...] = ()  # the compiler's, of the user's sources
    no_freertos: str | None = None  # why no side of FreeRTOS can be linked, if one was asked for
    baselines: Mapping[Baseline, Path] = field(default_factory=dict)
    unlinked: Mapping[Baseline, str] = field(default_factory=dict)  # why others cannot


def build_firmware(
    system: System,
    plan: Plan,
    out: Path,
    freertos: Path | None,
    *,
    checks: bool = False,
    only: Target | None = None,
    tick: Tick | None = None,
    baselines: Sequence[Baseline] = (Baseline.STOCK,),
    ring: Ring | None = None,
) -> Firmware:
    """Generate and compile `system` by `plan` below the folder `out`.

    `freertos` is FreeRTOS-Kernel's folder; with it those of `baselines` that can express the system are
    built too, for `tick` or the usual one. `only`: that target and no other, as `horolog` or as
    `freertos` of what is returned. What a folder has compiled before is not compiled again. With `checks`
    the kernel checks its callers and stacks, as it always does on the host port; what is measured is
    built without. With `ring` it measures itself, and what its code shows is not judged, as the calls
    that record jobs are none of the application's. HorologError with the compiler's own words if a source
    does not compile, with the user's file or task if something does not link, and where the code of a
    basic task shows that it cannot be one (calls/).
    """
    for folder in (out, data_root(), system.board.directory):
        _refuse_unbuildable(folder)
    require(system.board.port.compiler, "cmake", "ninja")
    generated, binaries = out / "gen", out / "cmake" / system.board.name  # one toolchain a folder
    remove_moved(binaries)
    tick = nearest_tick(system) if tick is None else tick
    if ring is not None:
        write_ring(ring, generated)
    framed = generated_files(system, plan, generated, tick).framed
    sides = [one for one in baselines if _expresses(system, one, tick)]
    if not system.board.port.has_freertos or not sides or system.build.own_vectors:
        freertos = None
    before = compiled_before(system.board)
    _configure(
        _configuration(system, generated, binaries, freertos, checks, before, ring),
        binaries,
        before,
    )
    notes: tuple[str, ...] = ()
    if ring is not None:
        elf = _linked(system, binaries)
        return Firmware(binaries, elf, None)
    if only in (None, Target.HOROLOG):
        notes = _build_ours(system, plan, generated / FRAMES_HEADER, framed, binaries)
        if before is not None:
            before.keep_kernel(binaries)
    theirs: dict[Baseline, Path] = {}
    unlinked: dict[Baseline, str] = {}
    booted = None
    if freertos and only not in (None, Target.HOROLOG):
        booted, refused = _elf(binaries, only), _build_baseline(system, binaries, only)
        if refused is not None:
            raise HorologError(refused.why)
    elif freertos and only is None:
        theirs, unlinked = _build_baselines(system, binaries, sides)
        booted = next(iter(theirs.values()), None)
    none = None if theirs else next(iter(unlinked.values()), None)
    if system.build.own_vectors:
        none = NO_FREERTOS_BESIDE
    kept = keep_warnings(binaries, system.sources, ())
    return Firmware(
        binaries, _elf(binaries, Target.HOROLOG), booted, notes, kept, none, theirs, unlinked
    )


def build_firmware_for_cores(
    system: System,
    plans: Sequence[CorePlan],
    out: Path,
    freertos: Path | None = None,
    *,
    checks: bool = False,
    baselines: Sequence[Baseline] = (),
) -> Firmware:
    """Generate and compile `system`, each of its cores by its plan, below the folder `out`: one image.

    As build_firmware, for the usual tick.
    """
    for folder in (out, data_root(), system.board.directory):
        _refuse_unbuildable(folder)
    require(system.board.port.compiler, "cmake", "ninja")
    generated, binaries = out / "gen", out / "cmake" / system.board.name
    remove_moved(binaries)
    framed = generated_files_for_cores(system, plans, generated).framed
    before = compiled_before(system.board)
    sides = [one for one in baselines if one in ON_SEVERAL_CORES] if freertos else []
    sides = [one for one in sides if _expresses(system, one, nearest_tick(system))]
    command = _configuration(
        system, generated, binaries, freertos if sides else None, checks, before
    )
    _configure(command, binaries, before)
    elf = _framed(system, generated / FRAMES_HEADER, framed, binaries)
    if before is not None:
        before.keep_kernel(binaries)
    notes = check_image_of_cores(system, plans, elf)
    theirs, unlinked = _build_baselines(system, binaries, sides)
    none = None if theirs else next(iter(unlinked.values()), None)
    kept = keep_warnings(binaries, system.sources, ())
    first = next(iter(theirs.values()), None)
    return Firmware(binaries, elf, first, notes, kept, none, theirs, unlinked)


def _linked(system: System, binaries: Path) -> Path:
    """Horolog's firmware, compiled and linked."""
    done, steps = _make(system, binaries, Target.HOROLOG)
    if done.status not in (0, None):
        if system.has_basic and system.cores == 1:
            _check_with_gaps(system, binaries)
        raise_all(link_problems(system, steps, binaries, Target.HOROLOG.value))
    build_step("compiling", done)
    return _checked(system.board, _elf(binaries, Target.HOROLOG))


def _expresses(system: System, baseline: Baseline, tick: Tick) -> bool:
    """Whether `baseline` can express `system`, with `tick` where it is that which releases."""
    by_cell = baseline is Baseline.NOTIFY
    return tick_of(system, baseline).hz is not None and (by_cell or tick.hz is not None)


def _elf(binaries: Path, target: Target) -> Path:
    return binaries / f"{target.value}.elf"


def _configuration(
    system: System,
    generated: Path,
    binaries: Path,
    freertos: Path | None,
    checks: bool,
    before: Compiled | None,
    ring: Ring | None = None,
) -> list[str]:
    """CMake's command line."""
    root, board = data_root(), system.board
    command = [
        *("cmake", "-S", str(root / "cmake" / "firmware"), "-B", str(binaries), "-G", "Ninja"),
        f"-DHRL_ROOT={root}",
        f"-DHRL_GENERATED={generated.resolve()}",
        f"-DHRL_FREERTOS={freertos.resolve() if freertos else ''}",
        *(before.options if before is not None else ("-DHRL_COMPILED=",)),
    ]
    if not board.port.is_process:
        command += [
            f"-DCMAKE_TOOLCHAIN_FILE={toolchain_file(board, binaries)}",
            f"-DHRL_CPU={board.cpu}",
            f"-DHRL_FPU={board.fpu or ''}",
            f"-DHRL_CHECKS={int(checks)}",
            f"-DHRL_TRACE={'' if ring is None else 1}",
            f"-DHRL_TRACE_CYCLES={int(ring is not None and ring.cycles)}",
            f"-DHRL_TRACE_STREAM={int(ring is not None and ring.streams)}",
        ]
    return command


def _build_ours(
    system: System, plan: Plan, frames: Path, framed: Mapping[str, str], binaries: Path
) -> tuple[str, ...]:
    """Horolog's firmware; notes on the code of basic tasks. `frames` is the header of `framed` functions."""
    if system.board.port.is_process:
        _linked(system, binaries)
        return ()
    elf = _framed(system, frames, framed, binaries)
    check_own_vectors(system, frames.parent, elf)
    return check_image(system, plan, elf)


def _framed(system: System, frames: Path, framed: Mapping[str, str], binaries: Path) -> Path:
    """Horolog's firmware, linked until its interrupts save what the code behind them asks for."""
    link = partial(_linked, system, binaries)
    return settle_frames(frames, framed, link).elf if framed else link()


@dataclass(frozen=True, slots=True)
class _Refused:
    """Why FreeRTOS's firmware does not link, though Horolog's did; whether no other side would."""

    why: str
    every: bool = False


def _build_baselines(
    system: System, binaries: Path, sides: Sequence[Baseline]
) -> tuple[dict[Baseline, Path], dict[Baseline, str]]:
    """The images of FreeRTOS's `sides`; of those that do not link why. None does without some calls."""
    theirs: dict[Baseline, Path] = {}
    unlinked: dict[Baseline, str] = {}
    for one in sides:
        refused = _build_baseline(system, binaries, TARGETS[one])
        if refused is None:
            theirs[one] = _elf(binaries, TARGETS[one])
            continue
        unlinked[one] = refused.why
        if refused.every:
            break
    return theirs, unlinked


def _build_baseline(system: System, binaries: Path, target: Target) -> _Refused | None:
    """FreeRTOS's firmware; or why there is none."""
    done, steps = _make(system, binaries, target)
    if done.status not in (0, None):
        names = missing_names(steps)
        if names and all(name.startswith(_OURS) for name in names):
            why = f"the sources call {names[0]}, which FreeRTOS does not have"
            return _Refused(why, every=True)
        problems = [x.message for x in link_problems(system, steps, binaries, target.value)]
        if problems:  # such as a memory that another side does not fill
            return _Refused(problems[0])
    build_step("compiling", done)
    _checked(system.board, _elf(binaries, target))
    return None


def _checked(board: Board, elf: Path) -> Path:
    """`elf`, which lies in the memory of the board."""
    check_memory(board, elf)
    return elf


def _make(system: System, binaries: Path, target: Target) -> tuple[Finished, tuple[Step, ...]]:
    """Build `target`; how that ended, and what was done. Warnings are kept in either case."""
    done = call(["cmake", "--build", str(binaries), "--target", target.value], seconds=_SECONDS)
    steps = build_steps(done.output)
    keep_warnings(binaries, system.sources, steps)
    return done, steps


def _refuse_unbuildable(folder: Path) -> None:
    wrong = unbuildable(folder.resolve())
    if wrong is not None:
        raise unbuildable_error("a folder", wrong, str(folder.resolve()))


def _check_with_gaps(system: System, binaries: Path) -> None:
    """HorologError that names the basic task, if what does not link needs threads and there are none."""
    build = ["cmake", "--build", str(binaries), "--target", _WITH_GAPS]
    if call(build, seconds=_SECONDS).status == 0:
        check_without_threads(system, binaries / f"{_WITH_GAPS}.elf")


def _configure(command: list[str], binaries: Path, before: Compiled | None) -> None:
    """Run `command` unless it is what configured `binaries` last: the build sees changed files itself."""
    stamp = binaries / "configured.txt"
    text = "\n".join(command)
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == text:
        return
    build_step("configuring", call(command, seconds=_SECONDS))
    if before is not None:
        before.keep_compilers(binaries)
    stamp.write_text(text, encoding="utf-8")


def build_step(doing: str, done: Finished) -> None:
    """HorologError with the useful lines of what a build tool said, unless it ended well."""
    if done.status == 0:
        return
    if done.status is None:
        raise TargetFailed(f"{doing} took longer than {_SECONDS} s and was ended")
    said = done.output + done.errors
    useful = [line for line in said.splitlines() if _USEFUL.search(line) and _TAIL not in line]
    raise HorologError(
        f"{doing} the firmware failed",
        found="\n            ".join(useful[:12]) or said.strip()[-2000:],
        expected="sources that compile; the first error above says where",
    )


_USEFUL = re.compile(r"(error|undefined reference|will not fit|overflowed by)", re.IGNORECASE)
_TAIL = "collect2: error: ld returned"  # which says nothing that the linker has not said
