# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""build, run and compare on several cores, without compiler and simulator: what is asked of them, shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.tool.core_boards import seen_on, seen_under_freertos, system_on

from horolog.build.firmware import Firmware
from horolog.cli.main import main
from horolog.measure.measured import Kernel, Measured
from horolog.model import Baseline, NeverIdle
from horolog.model.core_result import Waits
from horolog.run import cores, cores_freertos
from horolog.run.ibex import CoreRun


class Board:
    """In the place of the compiler and the simulator."""

    def __init__(self) -> None:
        self.late = False
        self.runs: list[CoreRun] = []
        self.checks: bool | None = None
        self.notes: tuple[str, ...] = ()
        self.baselines: tuple[Baseline, ...] = ()
        self.unlinked: dict[Baseline, str] = {}
        self.never_idle: str | None = None  # the name of such a kernel
        self.late_freertos = False
        self.waveform: Any = None

    def build(
        self,
        system: Any,
        plans: Any,
        out: Path,
        freertos: Path | None,
        *,
        checks: bool,
        baselines: tuple[Baseline, ...],
    ) -> Firmware:
        self.checks = checks
        self.baselines = baselines if freertos else ()
        out.mkdir(parents=True, exist_ok=True)
        elves = {one: out / f"{one.name.lower()}.elf" for one in self.baselines}
        elves = {
            one: elf
            for one, elf in elves.items()
            if one not in self.unlinked and one is not Baseline.NOTIFY
        }
        first = next(iter(elves.values()), None)
        none = None if elves else next(iter(self.unlinked.values()), None)
        return Firmware(out, out / "horolog.elf", first, self.notes, (), none, elves, self.unlinked)

    def run_freertos(
        self, system: Any, plan: Any, kernel: Kernel, elf: Path, *rest: Any
    ) -> tuple[tuple[Measured, Waits], ...]:
        if kernel.name == self.never_idle:
            raise NeverIdle(f"{kernel.name} was never idle")
        cost = {"stock.elf": 300, "rate_group.elf": 250, "any_core.elf": 400}[elf.name]
        seen = seen_under_freertos(system, kernel, cost, late=self.late_freertos)
        return tuple((one, Waits(20, 10 * (core + 1), 2)) for core, one in enumerate(seen))

    def run(
        self, board: Any, kernel: str, runs: Sequence[CoreRun], *rest: Any
    ) -> tuple[tuple[Measured, Waits], ...]:
        self.runs[:], self.waveform = runs, rest[-1]
        found = [(seen_on(one, late=self.late), Waits(9, 7 + one.core, 1)) for one in runs]
        for seen, _ in found:  # 1,000 cycles of the first task of each core, 1,001 of the next, ...
            tasks = {index for _, kind, index in seen.trace if kind == "E"}
            seen.findings.longest.update({task: 1_000 + task for task in tasks})
        return tuple(found)


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Board:
    made = Board()
    monkeypatch.setattr(cores, "build_firmware_for_cores", made.build)
    monkeypatch.setattr(cores, "run_cores_on_ibex", made.run)
    monkeypatch.setattr(cores, "freertos_source", lambda: tmp_path)
    monkeypatch.setattr(cores_freertos, "why_no_freertos", lambda board: None)
    monkeypatch.setattr(cores_freertos, "run_one_kernel_on_ibex", made.run_freertos)
    monkeypatch.setattr(cores, "versions", lambda system, *, with_freertos: {"horolog": "0"})
    monkeypatch.chdir(tmp_path)
    return made


def horolog(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


def test_compare_ends_with_table_and_report(board: Board, tmp_path: Path) -> None:
    done = horolog("compare", system_on(tmp_path))
    assert done.exit_code == 0, done.output
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["1", "4", "2", "7", "=", "7", "+", "0", "11", "0", "0"] in [row[:11] for row in rows]
    assert ["all", "5", "3", "27", "=", "27", "+", "0", "31", "0", "0"] in [
        row[:11] for row in rows
    ]
    for text in (
        "Horolog spends",
        "of 2 cores on releasing 5 tasks",
        "times less than FreeRTOS with rate groups (",
        "FreeRTOS without affinity spends",
        "Note: FreeRTOS is its SMP kernel",
        "All deadlines of 2 cores hold",
        "Note: tasks divided among cores: ",
        "Worst responses, one task a level of a core",
        "Cycles are those of the simulated cores, waits for what the cores share included",
    ):
        assert text in " ".join(done.stdout.split()), text
    result = json.loads((tmp_path / "build/demo/result.json").read_text(encoding="utf-8"))
    assert [one["core"] for one in result["cores"]] == [0, 1]
    assert result["cores"][0]["tasks"] == ["fast"]
    assert result["cores"][1]["waits"] == {"accesses": 9, "cycles": 8, "longest": 1}
    assert [row[-1] for row in rows if row[:2] == ["all", "5"]] == ["15"]
    each = [one["horolog"]["cycles"]["kernel"] for one in result["cores"]]
    assert result["horolog"]["cycles"]["kernel"] == sum(each)
    assert result["horolog"]["jobs"] == 31
    assert {*result["horolog"]["response"]} == {"fast", "slow", "late.0", "late.1", "late.2"}
    page = (tmp_path / "build/demo/report.html").read_text(encoding="utf-8")
    for text in (
        '"lanes":true',
        '"name":"core 1"',
        "cell32",
        "horolog compare",
        "late.2",
        "all cores",
    ):
        assert text in page, text


def test_the_names_of_each_core(board: Board, tmp_path: Path) -> None:
    assert horolog("run", system_on(tmp_path), "--checks").exit_code == 0
    first, second = board.runs
    assert board.checks is True
    assert (first.core, first.names.jobs, first.names.releasers) == (0, (0,), range(1))
    assert (second.core, second.names.jobs) == (1, (1, 2, 3, 4))
    assert second.names.releasers == range(1, 3)
    assert (first.names.layout, second.names.layout) == (0, 1)
    assert second.system.cells[0] == "cell32"
    result = json.loads((tmp_path / "build/demo/run.json").read_text(encoding="utf-8"))
    assert result["ratio_refused"] is None
    assert "with checks: not for comparison" in result["notes"]


def test_a_core_without_tasks_is_not_watched(board: Board, tmp_path: Path) -> None:
    done = horolog("run", system_on(tmp_path, of=4, cores="cores = 3", core="1"), "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert [one["core"] for one in found["cores"]] == [0, 1]
    assert "core 2 has no tasks, and is not counted" in found["notes"]
    shown = horolog("run", system_on(tmp_path, of=4, cores="cores = 3", core="1")).stdout
    assert ["3", "0", "0"] in [line.split()[:3] for line in shown.splitlines()]
    page = (tmp_path / "build/demo/run.html").read_text(encoding="utf-8")
    assert ">core 3<" in page


def test_late_jobs(board: Board, tmp_path: Path) -> None:
    board.late = True
    done = horolog("run", system_on(tmp_path))
    assert done.exit_code == 1
    assert "missed their deadline" in done.stderr
    page = (tmp_path / "build/demo/run.html").read_text(encoding="utf-8")
    assert 'class="num late"' in page


def test_freertos_beside(board: Board, tmp_path: Path) -> None:
    done = horolog("compare", system_on(tmp_path), "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["strongest"]["baseline"] == "rate-group"
    kernel = found["freertos"]["cycles"]["kernel"]
    assert kernel == 300 * 31 + 100
    assert found["ratio"] == pytest.approx(kernel / found["horolog"]["cycles"]["kernel"], abs=1e-4)
    assert found["freertos"]["doorbells"] == 3
    assert found["freertos"]["interrupts"]["taken"] == 100
    assert found["freertos"]["interruptions"] is None
    share = 100 * kernel / found["horolog"]["cycles"]["total"]
    assert found["freertos"]["overhead_percent"] == pytest.approx(share, abs=1e-4)
    each = found["freertos_cores"]
    assert [*each] == ["stock", "rate-group", "any-core"]
    assert sum(one["kernel"] for one in each["stock"]) == kernel
    assert [one["doorbells"] for one in each["any-core"]] == [0, 3]
    assert found["baselines"]["any-core"]["side"]["jobs"] == 31
    shown = horolog("compare", system_on(tmp_path), "--baseline", "any-core").stdout
    rows = [line.split() for line in shown.splitlines()]
    (row,) = [row for row in rows if row[:3] == ["FreeRTOS,", "any", "core"]]
    assert row[3:8] == ["100", "3", "31", "0", "0"]
    page = (tmp_path / "build/demo/report.html").read_text(encoding="utf-8")
    for text in ("compared with FreeRTOS", "FreeRTOS, any core", "costs least", 'class="bar any"'):
        assert text in page, text
    assert "system.toml --baseline any-core</pre>" in page


def test_sides_of_freertos_that_are_missing(board: Board, tmp_path: Path) -> None:
    board.unlinked = {Baseline.RATE_GROUP: "the sources call hrl_now"}
    board.never_idle = "FreeRTOS, any core"
    found = json.loads(horolog("compare", system_on(tmp_path), "--json").stdout)
    refused = {name: one["ratio_refused"] for name, one in found["baselines"].items()}
    assert refused == {
        "rate-group": "the sources call hrl_now",
        "any-core": "FreeRTOS, any core was never idle",
    }
    assert found["strongest"]["baseline"] == "stock"
    done = horolog("compare", system_on(tmp_path), "--baseline", "notify")
    assert done.exit_code == 0
    said = " ".join(done.stdout.split())
    assert "Not compared with FreeRTOS: it is built for boards of one core only." in said
    board.late_freertos = True
    said = " ".join(horolog("compare", system_on(tmp_path), "--baseline", "stock").stdout.split())
    assert "No ratio is given: FreeRTOS missed" in said


def test_periods_that_no_tick_expresses(board: Board, tmp_path: Path) -> None:
    path = system_on(tmp_path)
    text = path.read_text(encoding="utf-8").replace('period = "5 ms"', 'period = "70 us"')
    path.write_text(text.replace("work = 500", "work = 20"), encoding="utf-8")
    found = json.loads(horolog("compare", path, "--json").stdout)
    assert found["freertos"] is None
    assert board.baselines == ()
    assert "comes within 10 % of every period" in found["ratio_refused"]
    text = text.replace('period = "70 us"', 'period = "1.1 ms"')
    path.write_text(text.replace("work = 20", "work = 500"), encoding="utf-8")
    found = json.loads(horolog("compare", path, "--json").stdout)
    assert any("FreeRTOS ticks at 10 kHz here" in note for note in found["notes"])


def test_a_wcet_is_proposed_for_all_tasks_of_a_table(board: Board, tmp_path: Path) -> None:
    path = system_on(tmp_path, core='"auto"')
    text = path.read_text(encoding="utf-8").replace("duration =", 'sources = ["b.c"]\nduration =')
    (tmp_path / "b.c").write_text("void late(void) {}\n", encoding="utf-8")
    text = text.replace("work = 4_000", 'body = "late"\nwcet = "300 us"')
    path.write_text(text, encoding="utf-8")
    options = ("run", path, "--objective", "slack")
    found = json.loads(horolog(*options, "--margin", "10", "--json").stdout)
    assert sorted(len(one["tasks"]) for one in found["cores"]) == [2, 3]  # on both cores
    (body,) = found["wcets"]["bodies"]
    assert body["body"] == "late"
    assert body["jobs"] == 6
    longest = max(1_000 + at for one in found["cores"] for at in range(len(one["tasks"])))
    assert body["longest_ns"] == longest * 20
    shown = horolog(*options, "--wcet").stdout
    assert "with 20 % on top" in shown
    assert "longest_ns" not in shown


def test_a_waveform(board: Board, tmp_path: Path) -> None:
    done = horolog("run", system_on(tmp_path), "--vcd", "x.vcd", "--vcd-from", "1 ms")
    assert done.exit_code == 0, done.output
    assert board.waveform.options(20) == ["--vcd", "x.vcd", "--vcd-from", "50000"]
    assert horolog("run", system_on(tmp_path)).exit_code == 0
    assert board.waveform is None


def test_build(board: Board, tmp_path: Path) -> None:
    board.notes = ("a stack is small",)
    done = horolog("build", system_on(tmp_path), "--baseline", "all")
    assert done.exit_code == 0
    assert "generated  build/demo/gen" in done.stdout
    assert "horolog    build/demo/horolog.elf" in done.stdout
    assert "any-core   build/demo/any_core.elf" in done.stdout
    assert "note: a stack is small" in done.stderr
    done = horolog("build", system_on(tmp_path), "--baseline", "notify")
    said = "note: FreeRTOS with notifications is not built: it is built for boards of one core only"
    assert said in done.stderr
    board.unlinked = {Baseline.STOCK: "the sources call hrl_now"}
    done = horolog("build", system_on(tmp_path), "--baseline", "stock")
    assert "note: stock FreeRTOS is not built: the sources call hrl_now" in done.stderr
    board.unlinked = {}
    done = horolog("build", system_on(tmp_path), "--json")
    assert json.loads(done.stdout)["freertos"] == "build/demo/stock.elf"
    assert board.baselines == (Baseline.STOCK,)
    done = horolog("build", system_on(tmp_path), "--checks", "--json")
    assert json.loads(done.stdout)["freertos"] is None


def test_any_core_takes_several(tmp_path: Path) -> None:
    path = tmp_path / "system.toml"
    path.write_text(
        '[system]\nname = "one"\nboard = "ibex-cells"\nduration = "1 ms"\n'
        '[[task]]\nname = "a"\nperiod = "1 ms"\nwork = 5\n',
        encoding="utf-8",
    )
    done = horolog("compare", path, "--baseline", "any-core")
    assert done.exit_code == 2
    assert "--baseline any-core is for several cores" in done.stderr
    assert "expected: stock, rate-group, notify" in done.stderr


@pytest.mark.parametrize("option", [["--gdb"], ["--gdb-port", "5"]])
def test_no_debugger_halts_cores_that_are_simulated(
    board: Board, tmp_path: Path, option: list[str]
) -> None:
    system = system_on(tmp_path)
    done = horolog("run", system, *option)
    assert done.exit_code == 2
    assert (
        "--gdb is not available on cells-x2: nothing halts a core that is simulated" in done.stderr
    )
    toml = tmp_path / "cells-x2" / "board.toml"
    text = toml.read_text(encoding="utf-8")
    toml.write_text(text.replace('kind = "ibex"', 'kind = "qemu"'), encoding="utf-8")
    done = horolog("run", system, *option)
    assert f"{option[0]} on several cores: not yet supported" in done.stderr


@pytest.mark.parametrize("options", [["run", "--verify"]])
def test_options_of_one_core(board: Board, tmp_path: Path, options: list[str]) -> None:
    done = horolog(options[0], system_on(tmp_path), *options[1:])
    assert done.exit_code == 2
    assert f"{options[1]} on several cores: not yet supported" in done.stderr


def test_a_board_without_a_simulator_of_its_cores(board: Board, tmp_path: Path) -> None:
    system = system_on(tmp_path)
    toml = tmp_path / "cells-x2" / "board.toml"
    text = toml.read_text(encoding="utf-8")
    toml.write_text(text.replace('kind = "ibex"', 'kind = "qemu"'), encoding="utf-8")
    done = horolog("run", system)
    assert done.exit_code == 2
    assert "systems on several cores are not run on cells-x2 yet" in done.stderr


def test_another_board_lends_cells_to_each_core(board: Board, tmp_path: Path) -> None:
    path = system_on(tmp_path)
    text = path.read_text(encoding="utf-8").replace(str(tmp_path / "cells-x2"), "mps2-an385")
    text = text.replace("cores = 2", 'cells = ["timer0", "timer1"]').replace('core = "auto"', "")
    path.write_text(text.replace("core = 0\n", "").replace("core = 1\n", ""), encoding="utf-8")
    done = horolog("compare", path, "--board", tmp_path / "cells-x2", "--json")
    assert done.exit_code == 0, done.output
    note = "cells-x2 lends cell0, cell1, cell32, cell33: to each core for the 2 cells of mps2-an385"
    assert note in json.loads(done.stdout)["notes"]
