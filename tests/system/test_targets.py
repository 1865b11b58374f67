# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Bad input that only shows on the target, and what is not installed: message, exit code, and no debris."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.system.support import (
    BOARD,
    HOST,
    Run,
    Said,
    horolog,
    made_plan,
    made_system,
    ms,
    periodic,
    task,
)

from horolog.build.freertos import freertos_source
from horolog.measure.probe import compiled_plugin
from horolog.model import Exit, HorologError, Overrun, Plan, System

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]

SYSTEM = """\
[system]
name = "bad"
board = "mps2-an385"
duration = "50 ms"
sources = ["bodies.c"]

[[task]]
name = "innocent"
period = "2 ms"
work = 100

[[task]]
name = "culprit"
period = "5 ms"
wcet = "1 ms"
body = "culprit_step"
"""

FINE = "void culprit_step(void);\nvoid culprit_step(void)\n{\n}\n"


def body(statements: str) -> str:
    return f"void culprit_step(void);\nvoid culprit_step(void)\n{{\n{statements}\n}}\n"


def write(folder: Path, bodies: str, *changes: tuple[str, str]) -> Path:
    text = SYSTEM
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "bodies.c").write_text(bodies, encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return path


def launch(folder: Path, bodies: str, *changes: tuple[str, str], command: str = "run") -> Said:
    return horolog(command, write(folder, bodies, *changes), "--out", folder / "out")


def check_no_debris(folder: Path) -> None:
    """No result and no report; whatever was there before would be complete."""
    left = {path.name for path in folder.glob("out/*")}
    assert left <= {"gen", "cmake", "horolog.watch", "horolog.trace", "horolog.counts"}


FAULTS = {
    "an undefined instruction": '    __asm__ volatile("udf #0");',
    "a read from where nothing is": "    (void)*(volatile int *)0x90000000u;",
    "a write to where nothing is": "    *(volatile int *)0xA0000000u = 1;",
    "a jump to nowhere": "    ((void (*)(void))0xB0000001u)();",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_reported_with_registers_and_the_tasks_name(fault: str, tmp_path: Path) -> None:
    said = launch(tmp_path, body(FAULTS[fault]))
    assert said.code == Exit.TARGET_FAILED
    assert "Horolog's firmware stopped by itself with status 4" in said.err
    assert "fault: a" in said.err
    assert "in thread 'culprit'" in said.err
    for register in ("r0", "r4", "r12", "sp", "lr", "pc", "xpsr", "cfsr", "hfsr", "mmfar", "bfar"):
        assert f" {register}=" in said.err
    assert said.out == ""
    check_no_debris(tmp_path)


def test_the_fault_is_in_the_json_too(tmp_path: Path) -> None:
    path = write(tmp_path, body(FAULTS["an undefined instruction"]))
    said = horolog("run", path, "--json", "--out", tmp_path / "out")
    assert said.code == Exit.TARGET_FAILED
    error = said.object["error"]
    assert error["exit"] == 4
    assert "'culprit'" in error["found"]


def test_a_fault_in_the_program_counter_names_the_instruction(tmp_path: Path) -> None:
    said = launch(tmp_path, body(FAULTS["an undefined instruction"]))
    found = [word for word in said.err.split() if word.startswith("pc=")]
    assert len(found) == 1
    from horolog.image import read_image

    image = read_image(tmp_path / "out" / "cmake" / BOARD / "horolog.elf")
    at = int(found[0].removeprefix("pc="), 16)
    (owner,) = [f for f in image.functions if f.low <= at < f.high]
    assert owner.owner == "body"
    assert owner.name in ("culprit_step", "hrl_gen_body_1")


@pytest.mark.parametrize("mechanism", ["gcd", "one-shot"])
def test_a_body_that_never_ends_is_named_in_bounded_time(mechanism: str, tmp_path: Path) -> None:
    path = write(tmp_path, body('    for (;;) {\n        __asm__ volatile("");\n    }'))
    began = time.monotonic()
    said = horolog("run", path, "--mechanism", mechanism, "--out", tmp_path / "out")
    assert time.monotonic() - began < 30
    assert said.code == Exit.TARGET_FAILED
    assert f'{path}:12:1: task.culprit: task "culprit" does not come to an end' in said.err
    assert "its job has executed 1" in said.err  # a second and a little, in ms
    assert "a body that returns within its wcet of 1 ms" in said.err
    check_no_debris(tmp_path)


def test_a_body_that_hangs_with_interrupts_off_is_named_in_bounded_time(tmp_path: Path) -> None:
    path = write(tmp_path, body('    __asm__ volatile("cpsid i");\n    for (;;) {\n    }'))
    began = time.monotonic()
    said = horolog("run", path, "--out", tmp_path / "out")
    assert time.monotonic() - began < 30
    assert said.code == Exit.TARGET_FAILED
    assert 'task "culprit" does not come to an end' in said.err


def test_a_body_longer_than_its_wcet_is_an_error_with_both_figures(tmp_path: Path) -> None:
    turns = 20_000  # of two instructions at least: 1.28 ms, more than 1 ms
    loop = f"    for (volatile int i = 0; i < {turns}; i++) {{\n    }}"
    said = launch(tmp_path, body(loop))
    assert said.code == Exit.DOES_NOT_HOLD
    assert 'a body of task "culprit" ran longer than its wcet' in said.err
    assert "at most wcet = 1 ms" in said.err
    (line,) = [line for line in said.err.splitlines() if "executed by culprit_step" in line]
    executed = line.split("found:")[1].split(" executed")[0].strip()
    assert turns * 2 * 0.032 < float(executed.removesuffix(" ms")) * 1000 < turns * 12 * 0.032
    # What was measured is there to be looked at, and says on top what it is worth.
    headline = 'Not a valid run: the body of task "culprit" ran for'
    assert f"{headline} {executed} in one job" in " ".join(said.out.split())
    assert f"{headline.replace(chr(34), '&#34;')} {executed} in one job" in (
        tmp_path / "out" / "run.html"
    ).read_text(encoding="utf-8")
    written = json.loads((tmp_path / "out" / "run.json").read_text())
    assert [one["task"] for one in written["wcet_exceeded"]] == ["culprit"]


def test_one_within_its_wcet_is_fine(tmp_path: Path) -> None:
    said = launch(tmp_path, FINE)
    assert said.code == Exit.OK, said.err
    result = json.loads((tmp_path / "out" / "run.json").read_text())
    assert result["horolog"]["jobs"] == 25 + 10


def test_a_source_that_does_not_compile_is_named_with_its_line(tmp_path: Path) -> None:
    said = launch(tmp_path, body("    int x = nonsense;"))
    assert said.code == Exit.BAD_INPUT
    assert "compiling the firmware failed" in said.err
    assert f"{tmp_path / 'bodies.c'}:4:" in said.err
    assert "error: 'nonsense' undeclared" in said.err
    check_no_debris(tmp_path)


def test_a_call_of_what_is_not_there_does_not_link(tmp_path: Path) -> None:
    said = launch(tmp_path, "void nowhere(void);\n" + body("    nowhere();"))
    assert said.code == Exit.BAD_INPUT
    assert "undefined reference to `nowhere'" in said.err
    assert "bodies.c:5" in said.err


def test_a_missing_body_is_named_with_the_file_that_was_searched(tmp_path: Path) -> None:
    said = launch(tmp_path, "void culprit_stop(void)\n{\n}\n")
    assert said.code == Exit.BAD_INPUT
    assert "culprit_step" in said.err
    assert "bodies.c" in said.err
    assert "culprit_stop" in said.err  # the nearest there is
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('period = "5 ms"', 'perod = "5 ms"', Exit.BAD_INPUT),
        ('period = "5 ms"', 'period = "0 ms"', Exit.BAD_INPUT),
        ('board = "mps2-an385"', 'board = "mps3"', Exit.BAD_INPUT),
        ('wcet = "1 ms"', 'wcet = "4.99 ms"', Exit.DOES_NOT_HOLD),
    ],
)
@pytest.mark.parametrize("command", ["build", "run", "compare"])
def test_an_input_error_leaves_the_folder_as_it_was(
    command: str, old: str, new: str, code: Exit, tmp_path: Path
) -> None:
    changes = [(old, new)]
    if code is Exit.DOES_NOT_HOLD:  # utilisation above 1
        changes.append(("work = 100", "work = 3000"))
    assert launch(tmp_path, FINE, *changes, command=command).code == code
    assert not (tmp_path / "out").exists()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "result.json").write_text("{}")
    assert launch(tmp_path, FINE, *changes, command=command).code == code
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["result.json"]
    assert (tmp_path / "out" / "result.json").read_text() == "{}"


def test_what_an_earlier_run_left_is_whole_after_a_failure(tmp_path: Path) -> None:
    assert launch(tmp_path, FINE).code == Exit.OK
    before = (tmp_path / "out" / "run.json").read_text()
    assert launch(tmp_path, body(FAULTS["an undefined instruction"])).code == Exit.TARGET_FAILED
    path = tmp_path / "out" / "run.json"
    if path.exists():
        assert path.read_text() == before
    # And the next good run is as if nothing had been.
    assert launch(tmp_path, FINE).code == Exit.OK
    assert path.read_text() == before


# --- what is not installed -----------------------------------------------------------------------


@pytest.fixture
def path_without(tmp_path: Path) -> Callable[..., str]:
    """A PATH on which the named programs are missing: links to all that the pipeline calls."""

    def make(*missing: str) -> str:
        folder = tmp_path / "bin"
        folder.mkdir()
        for at in os.environ["PATH"].split(os.pathsep):
            for program in sorted(Path(at).glob("*")) if at else ():
                wanted = program.name.startswith(
                    ("arm-none-eabi-", "qemu-system-arm", "cmake", "ninja", "gcc", "cc", "as", "ld")
                )
                link = folder / program.name
                if wanted and program.name not in missing and not link.exists():
                    link.symlink_to(program)
        return str(folder)

    return make


@pytest.mark.parametrize(
    ("program", "package"),
    [
        ("arm-none-eabi-gcc", "gcc-arm-none-eabi"),
        ("cmake", "cmake"),
        ("ninja", "ninja-build"),
        ("qemu-system-arm", "qemu-system-arm"),
    ],
)
def test_a_missing_program_is_named_with_its_package(
    program: str,
    package: str,
    tmp_path: Path,
    path_without: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = write(tmp_path, FINE)
    monkeypatch.setenv("PATH", path_without(program))
    assert shutil.which("gcc") is not None
    said = horolog("run", path, "--out", tmp_path / "out")
    assert said.code == Exit.NOT_INSTALLED
    assert f"not installed: {program}" in said.err
    assert "apt-get install " in said.err
    assert package in said.err.split("apt-get install ")[1].split("(")[0].split()
    check_no_debris(tmp_path)


def test_with_all_programs_linked_it_works(
    tmp_path: Path, path_without: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the tests above fail for the reason they name."""
    path = write(tmp_path, FINE)
    monkeypatch.setenv("PATH", path_without())
    assert horolog("run", path, "--out", tmp_path / "out").code == Exit.OK


@pytest.fixture
def without_freertos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty cache but for the plugin, and no FREERTOS_KERNEL."""
    plugin = compiled_plugin()
    cache = tmp_path / "cache"
    (cache / "horolog").mkdir(parents=True)
    shutil.copy2(plugin, cache / "horolog" / plugin.name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.delenv("FREERTOS_KERNEL", raising=False)
    assert freertos_source() is None


@pytest.mark.usefixtures("without_freertos")
def test_without_freertos_compare_works_and_says_how_to_get_it(tmp_path: Path) -> None:
    said = launch(tmp_path, FINE, command="compare")
    assert said.code == Exit.OK, said.err
    for word in ("FREERTOS_KERNEL", "baselines/freertos/fetch.sh", "V11.2.0"):
        assert word in " ".join(said.out.split())
    result: dict[str, Any] = json.loads((tmp_path / "out" / "result.json").read_text())
    assert result["freertos"] is None
    assert result["ratio"] is None
    assert "FREERTOS_KERNEL" in result["ratio_refused"]
    assert "freertos" not in result["versions"]
    assert result["horolog"]["jobs"] == 35
    assert "FREERTOS_KERNEL" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_a_wrong_freertos_kernel_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FREERTOS_KERNEL", str(tmp_path))
    said = launch(tmp_path, FINE, command="compare")
    assert said.code == Exit.BAD_INPUT
    assert "FREERTOS_KERNEL is no FreeRTOS-Kernel folder" in said.err
    assert str(tmp_path) in said.err
    assert "tasks.c, list.c and include/task.h" in said.err
    assert not (tmp_path / "out").exists()


def test_a_plugin_is_compiled_into_an_empty_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = compiled_plugin()
    assert made.is_file()
    assert made.parent == tmp_path / "horolog"
    assert {*made.parent.iterdir()} == {made, made.with_name(f"{made.name}.lock")}


@pytest.mark.freertos
@pytest.mark.usefixtures("freertos")
def test_periods_beyond_any_tick_are_rounded_and_compared_with_a_timer(tmp_path: Path) -> None:
    said = launch(tmp_path, FINE, ('period = "5 ms"', 'period = "5.03 ms"'), command="compare")
    assert said.code == Exit.OK, said.err
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    assert result["freertos"]["periods_rounded_percent"] > 0
    assert result["ratio"] is None
    assert "rounds periods, by up to 0.60 %" in result["ratio_refused"]
    assert any("expresses these periods" in note for note in result["notes"])
    assert result["strongest"]["baseline"] == "notify"
    notify = result["baselines"]["notify"]["side"]
    assert notify["jobs"] == result["horolog"]["jobs"]
    assert notify["instructions"]["bodies"] == result["horolog"]["instructions"]["bodies"]


# --- overruns ------------------------------------------------------------------------------------

OVERRUN = """\
[system]
name = "late"
board = "mps2-an385"
duration = "100 ms"
priorities = "explicit"

[[task]]
name = "hog"
period = "10 ms"
work = 100_000
priority = 2

[[task]]
name = "victim"
period = "2 ms"
work = 1_000
priority = 1
overrun = "{policy}"
"""


@pytest.mark.parametrize("policy", ["skip", "queue"])
def test_overruns_are_counted_alike_on_the_board_and_on_the_host(
    policy: str, tmp_path: Path
) -> None:
    """The hog runs 6.4 ms of every 10, so the victim's releases at 4 and 6 ms find it waiting."""
    path = tmp_path / "system.toml"
    path.write_text(OVERRUN.format(policy=policy), encoding="utf-8")
    sides = {}
    for board in (BOARD, HOST):
        out = tmp_path / board
        said = horolog("run", path, "--board", board, "--out", out)
        assert said.code == Exit.DOES_NOT_HOLD
        side = json.loads((out / "run.json").read_text())["horolog"]
        assert f"{side['overruns']} releases overran" in said.err
        assert f"{side['deadline_misses']} of {side['jobs']} jobs missed their deadline" in said.err
        assert (out / "run.html").is_file()
        sides[board] = side
    ours, theirs = sides[BOARD], sides[HOST]
    for figure in ("jobs", "overruns", "deadline_misses"):
        assert ours[figure] == theirs[figure], figure
    # In each 10 ms: released at 0, 2, 4, 6, 8 while the hog runs up to 6.4.
    if policy == "skip":
        # The job of 0 runs at 6.4; those of 2, 4 and 6 find it unfinished.
        assert ours["overruns"] == 3 * 10
        assert ours["jobs"] == 10 + 2 * 10
        assert ours["deadline_misses"] == 10
    else:
        assert ours["jobs"] == 10 + 5 * 10
        assert ours["overruns"] == 3 * 10
        # Of 0, 2, 4: run one after the other from 6.4; 4's is done at 6.6.
        assert ours["deadline_misses"] == 3 * 10


@pytest.mark.parametrize("board", [BOARD, HOST])
def test_a_job_longer_than_its_period_skips_every_other_release(board: str, bench: Bench) -> None:
    cell = "timer0" if board == BOARD else "cell0"
    late = task("late", ms(5), work=93_750)  # 6 ms
    system = made_system([late], board=board, duration=ms(100))
    run = bench(system, made_plan(periodic(cell, [0], 125_000), interrupts=[20]))
    assert run.side.jobs == run.side.overruns == run.side.deadline_misses == 10
    assert [ns // 10**6 for ns, _ in run.times("S")] == list(range(0, 100, 10))
    assert run.side.interrupts.taken == 20


@pytest.mark.parametrize("board", [BOARD, HOST])
def test_more_work_than_time_is_not_blamed_on_a_body(board: str, bench: Bench) -> None:
    cell = "timer0" if board == BOARD else "cell0"
    late = task("late", ms(5), work=93_750, overrun=Overrun.QUEUE)
    late = replace(late, wcet=ms("6.001"))  # its loop takes 6 ms, its call a few instructions
    system = made_system([late], board=board, duration=ms(100))
    plan = made_plan(periodic(cell, [0], 125_000), interrupts=[20])
    with pytest.raises(HorologError) as raised:
        bench(system, plan)
    assert raised.value.exit is Exit.TARGET_FAILED
    assert "never" in raised.value.message
    assert "idle after the window" in raised.value.message
    assert "late" in str(raised.value)
    assert "does not come to an end" not in str(raised.value)
