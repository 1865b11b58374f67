# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The host's simulated cores at once, each a thread of the process, under ThreadSanitizer.

It reports accesses of two cores, of which one is a store, that neither a lock nor an atomic access keeps in
order, also if nothing came of them in this run.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.system.plain_cmake import must
from tests.system.support import ROOT
from tests.system.test_harts import SAYS

from horolog.programs import call

CORES = Path("tests", "system", "cores")
TREE = ("kernel", "include", "ports", "cmake", "systems", "boards", str(CORES))
"""What its project builds from."""
SEEDS = 20
EVERYTHING = "all threads have ended\n"
REPORT = "WARNING: ThreadSanitizer: data race"
UNKNOWN = "unexpected memory mapping"  # where addresses are drawn from more than it knows
FAULTS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "services take no lock": (
        "kernel/core/sync_lock.h",
        (
            ("        hrlp_lock_take(HRLI_LOCK_OF_SERVICES);\n", ""),
            ("        hrlp_lock_give(HRLI_LOCK_OF_SERVICES);\n", ""),
        ),
    ),
    "a lock is given too early": (
        "kernel/sync/event.c",
        (
            ("    HRLP_SHOW(event->flags, event->flags & ~flags);\n", ""),
            (
                "void hrl_event_clear(struct hrl_event *event, uint32_t flags)\n{",
                "void hrl_event_clear(struct hrl_event *event, uint32_t flags)\n{ event->flags &= ~flags;",
            ),
        ),
    ),
    "an end is seen before what was done": (
        "kernel/thread/lifecycle.c",
        (("HRLP_PUBLISH(self->life, HRLI_ENDED);", "HRLP_SHOW(self->life, HRLI_ENDED);"),),
    ),
    "a thread has left its stack before it is saved": (
        "kernel/thread/dispatch.h",
        (
            (
                "    HRLP_PUBLISH(hrli_core.running, next);",
                "    HRLP_SHOW(hrli_core.running, next);",
            ),
        ),
    ),
    "woken threads are taken without the lock": (
        "kernel/thread/rung.c",
        (
            (
                "    hrlp_irq_state state = hrli_sync_lock();",
                "    hrlp_irq_state state = hrlp_irq_lock();",
            ),
            (
                "    hrli_core.woken.first = NULL;\n    hrli_sync_unlock(state);",
                "    hrli_core.woken.first = NULL;\n    hrlp_irq_unlock(state);",
            ),
        ),
    ),
    "changed threads are taken without the lock": (
        "kernel/thread/changes.c",
        (
            ("hrli_sync_lock();", "hrlp_irq_lock();"),
            ("hrli_sync_unlock(state);", "hrlp_irq_unlock(state);"),
        ),
    ),
    "what is asked of alarms is taken without the lock": (
        "kernel/sync/alarm_elsewhere.c",
        (
            (
                "    hrlp_irq_state state = hrli_sync_lock();\n    struct hrl_alarm *alarm = hrli_core",
                "    hrlp_irq_state state = hrlp_irq_lock();\n    struct hrl_alarm *alarm = hrli_core",
            ),
            (
                "    hrli_sync_unlock(state);\n    return alarm;",
                "    hrlp_irq_unlock(state);\n    return alarm;",
            ),
        ),
    ),
}
"""Lines of the kernel that are wrong on cores that run at once, and how each is broken."""


GLOBAL_FAULTS = {
    "a waker looks at the ready queue of another core": (
        "kernel/thread/global.c",
        (
            (
                "    if (thread->is_offered || thread->is_kept) {",
                "    if (hrli_ready_is_in_ring(&thread->ready)) {",
            ),
        ),
    ),
    "the set is looked at without the lock": (
        "kernel/thread/global.c",
        (
            (
                "bool gives_way)\n{\n    hrlp_irq_state state = hrli_sync_lock();",
                "bool gives_way)\n{\n    hrlp_irq_state state = hrlp_irq_lock();",
            ),
            (
                "    hrli_sync_unlock(state);\n    return next;",
                "    hrlp_irq_unlock(state);\n    return next;",
            ),
        ),
    ),
}
"""The same with threads that several cores may run."""


def programs(root: Path, out: Path, cores: int, is_global: bool = False) -> None:
    """Build the programs; with threads that several cores may run `everything` alone."""
    source = str(root / CORES / "at_once")
    how = (f"-DCORES={cores}", f"-DGLOBAL={int(is_global)}")
    must("cmake", "-S", source, "-B", str(out), "-G", "Ninja", *how)
    must("cmake", "--build", str(out), *(("--target", "everything") if is_global else ()))


def reported(program: Path, *arguments: str) -> str:
    """What the program says; empty: what it should, and ThreadSanitizer nothing."""
    done = call([str(program), *arguments], seconds=60)
    if UNKNOWN in done.errors:
        done = call(["setarch", "-R", str(program), *arguments], seconds=60)
    said = done.output + done.errors
    right = (
        EVERYTHING if program.name == "everything" else "".join(f"{what}: yes\n" for what in SAYS)
    )
    return "" if done.status == 0 and said == right else said


@pytest.fixture(autouse=True)
def at_the_end_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TSAN_OPTIONS", "atexit_sleep_ms=0")


def test_two_cores_at_once_use_all_services_without_a_race(tmp_path: Path) -> None:
    programs(ROOT, tmp_path, 2)
    assert reported(tmp_path / "together") == ""
    assert reported(tmp_path / "everything") == ""


def test_threads_of_two_cores_at_once_use_services_without_a_race(tmp_path: Path) -> None:
    programs(ROOT, tmp_path, 2, is_global=True)
    assert reported(tmp_path / "everything", "300", "1") == ""


@pytest.mark.soak
@pytest.mark.parametrize("cores", [2, 4])
def test_threads_of_several_cores_at_once_have_no_race_whatever_they_draw(
    cores: int, tmp_path: Path
) -> None:
    programs(ROOT, tmp_path, cores, is_global=True)
    for seed in range(SEEDS):
        assert reported(tmp_path / "everything", "300", str(seed)) == ""


@pytest.mark.soak
@pytest.mark.parametrize("cores", [2, 4])
def test_cores_at_once_have_no_race_whatever_they_draw(cores: int, tmp_path: Path) -> None:
    programs(ROOT, tmp_path, cores)
    for seed in range(SEEDS):
        assert reported(tmp_path / "together") == ""
        assert reported(tmp_path / "everything", "300", str(seed)) == ""


def broken(name: str) -> tuple[str, str]:
    """The file of a fault, and its text with it."""
    path, changes = {**FAULTS, **GLOBAL_FAULTS}[name]
    text = (ROOT / path).read_text(encoding="utf-8")
    for right, wrong in changes:
        assert text.count(right) == 1, f"{path} has changed: say anew how to break it"
        text = text.replace(right, wrong)
    return path, text


@pytest.mark.parametrize("name", [*FAULTS, *GLOBAL_FAULTS])
def test_there_is_such_a_line(name: str) -> None:
    path, text = broken(name)
    assert text != (ROOT / path).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of what the programs are built from."""
    copy = tmp_path_factory.mktemp("tree")
    for part in TREE:
        shutil.copytree(ROOT / part, copy / part)
    yield copy
    shutil.rmtree(copy)


@pytest.mark.soak
@pytest.mark.parametrize("name", FAULTS)
def test_a_race_in_the_kernel_is_found(name: str, tree: Path) -> None:
    path, text = broken(name)
    (tree / path).write_text(text, encoding="utf-8")
    try:
        programs(tree, tree / "build", 2)
        everything = tree / "build" / "everything"
        assert any(REPORT in reported(everything, "300", str(seed)) for seed in range(SEEDS))
    finally:
        shutil.copy(ROOT / path, tree / path)


@pytest.mark.soak
@pytest.mark.parametrize("name", GLOBAL_FAULTS)
def test_a_race_of_threads_of_several_cores_is_found(name: str, tree: Path) -> None:
    path, text = broken(name)
    (tree / path).write_text(text, encoding="utf-8")
    try:
        programs(tree, tree / "global", 4, is_global=True)
        everything = tree / "global" / "everything"
        assert any(REPORT in reported(everything, "300", str(seed)) for seed in range(SEEDS))
    finally:
        shutil.copy(ROOT / path, tree / path)
