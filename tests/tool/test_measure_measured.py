# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""From what a runner saw to the figures of a side, and the stages around it with a fake runner."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.factory import make_board, make_cell, make_system, make_task, ms

from horolog.build.firmware import Firmware
from horolog.build.ring import Ring
from horolog.emit import tick_of
from horolog.image import Function, Image
from horolog.measure.interrupts import clock_wraps
from horolog.measure.measured import (
    FREERTOS,
    HOROLOG,
    Kernel,
    Measured,
    excess_error,
    excesses,
    side,
)
from horolog.measure.probe import Findings
from horolog.model import (
    ON_ONE_CORE,
    Baseline,
    Clock,
    Exit,
    HorologError,
    Mode,
    NeverIdle,
    Overrun,
    Plan,
    Prediction,
    Releaser,
    System,
)
from horolog.model.result import Excess, Interrupts
from horolog.model.result_json import to_json
from horolog.plan import NOTHING, plan
from horolog.programs import Finished
from horolog.read.ports import ports
from horolog.run import pipeline
from horolog.run.host import run_on_host
from horolog.trace import Trace

IMAGE = Image(
    path=Path("made.elf"),
    functions=(
        Function("hrl_gen_body_0", 0x00, 0x10, "body"),
        Function("__aeabi_fmul", 0x10, 0x20, "library"),
        Function("TIMER0_Handler", 0x20, 0x30, "kernel"),
        Function("insert.part.0", 0x30, 0x40, "kernel"),
        Function("insert.constprop.0", 0x40, 0x50, "kernel"),
        Function("insert", 0x50, 0x60, "kernel"),
        Function("unused", 0x60, 0x70, "kernel"),
        Function("hrlp_idle_loop", 0x70, 0x80, "idle"),
    ),
    symbols={},
    sizes={},
    layout=None,
)

FOUND = Findings(
    status="done",
    total=1000,
    releases=2,
    library_in_bodies=30,
    taken={0: 3, 1: 0},
    served={0: 4},
    function={0: 100, 1: 35, 2: 40, 3: 5, 4: 6, 5: 7, 7: 805},
    elsewhere=2,
)


def plan_of(interrupts: int) -> Plan:
    releaser = Releaser("cell0", Mode.ONE_SHOT, "sorted-list", (0,), 0)
    nothing = Fraction(0)
    return Plan("made", (releaser,), Prediction(interrupts, (), 0, nothing, nothing, nothing))


def trace_of(*lines: tuple[int, str, int]) -> Trace:
    return Trace.of(lines)


def job(task: int, start_us: int, end_us: int) -> list[tuple[int, str, int]]:
    return [(start_us * 1000, "S", task), (end_us * 1000, "E", task)]


SYSTEM = make_system([ms(5)], duration=ms(10))
TRACE = trace_of(*job(0, 10, 60), *job(0, 5020, 5030))
OURS = Kernel(HOROLOG, "made")


def measured(**changes: object) -> Measured:
    of: dict[str, object] = {"kernel": OURS, "findings": FOUND, "trace": TRACE, "image": IMAGE}
    return Measured(**{**of, **changes})  # type: ignore[arg-type]


# --- figures -------------------------------------------------------------------------------------


def test_instructions_are_charged_where_they_belong() -> None:
    counted = side(SYSTEM, plan_of(4), measured()).instructions
    assert counted is not None
    assert counted.total == 1000
    assert counted.bodies == 100 + 30  # what bodies called in the library is theirs
    assert counted.idle == 805
    assert counted.kernel == 1000 - 130 - 805
    assert counted.by_function == {
        "TIMER0_Handler": 40,
        "insert": 5 + 6 + 7,  # GCC splits functions
        "(library)": 5,  # called by the kernel
        "?": 2,
    }


def test_counts_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ValueError, match="by_function adds up"):
        side(SYSTEM, plan_of(4), measured(findings=replace(FOUND, total=1001)))


def test_interrupts_taken_and_coalesced() -> None:
    made = side(SYSTEM, plan_of(5), measured())
    assert made.interrupts == Interrupts(predicted=5, taken=3, coalesced=1)


@pytest.mark.parametrize(
    ("hz", "duration", "ticks"), [(1000, ms(10), 10), (2000, ms(10), 20), (1000, ms("2.5"), 3)]
)
def test_freertos_is_predicted_to_tick_throughout_the_window(
    hz: int, duration: Fraction, ticks: int
) -> None:
    system = replace(SYSTEM, duration=duration)
    kernel = Kernel(FREERTOS, "tick", hz, 21)
    made = side(system, plan_of(99), measured(kernel=kernel))
    assert made.interrupts == Interrupts(predicted=ticks, taken=3, coalesced=0)
    assert made.mechanism == "tick"


def test_jobs_responses_and_misses() -> None:
    made = side(SYSTEM, plan_of(4), measured())
    assert (made.jobs, made.deadline_misses, made.overruns) == (2, 0, 0)
    assert made.response["t0"].min_ns == 30_000
    assert made.response["t0"].max_ns == 60_000
    late = trace_of(*job(0, 10, 5_500), *job(0, 5_510, 5_600))
    queued = replace(SYSTEM, tasks=(replace(SYSTEM.tasks[0], overrun=Overrun.QUEUE),))
    made = side(queued, plan_of(4), measured(trace=late))
    assert (made.jobs, made.deadline_misses, made.overruns) == (2, 1, 1)


def test_without_an_image_no_instructions_are_counted() -> None:
    assert side(SYSTEM, plan_of(4), measured(image=None)).instructions is None


def test_only_horologs_jobs_have_to_nest() -> None:
    two = make_system([ms(5), ms(5)], duration=ms(5))
    crossing = trace_of((0, "S", 0), (10, "S", 1), (20, "E", 0), (30, "E", 1))
    with pytest.raises(HorologError, match="contradicts itself"):
        side(two, plan_of(4), measured(trace=crossing))
    kernel = Kernel(FREERTOS, "tick", 1000, 21)
    assert side(two, plan_of(4), measured(trace=crossing, kernel=kernel)).jobs == 2


# --- wraps of the clock --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "wraps"), [(100, 0), (Fraction(2**32 - 25_000, 25_000_000), 0), (172, 1), (600, 3)]
)
def test_the_clocks_wraps_enter_the_handler_of_a_cell(seconds: Fraction | int, wraps: int) -> None:
    board = make_board([make_cell("cell0"), make_cell("cell1")])
    shared = replace(board, clock=Clock("fake", 25_000_000, 32, 1, "cell1_handler"))
    system = make_system([ms(5)], board=shared, duration=Fraction(seconds))
    assert clock_wraps(system) == wraps
    own = replace(board, clock=Clock("fake", 25_000_000, 32, 1, "Clock_Handler"))
    assert clock_wraps(replace(system, board=own)) == 0
    assert clock_wraps(replace(system, board=board)) == 0


def test_a_wrap_just_inside_the_window_counts() -> None:
    board = make_board([make_cell("cell0")])
    board = replace(board, clock=Clock("fake", 25_000_000, 32, 1, "cell0_handler"))
    at = Fraction(2**32 - 25_000 + 1, 25_000_000)  # t = 0 is at count 25,000
    system = make_system([ms(5)], board=board, duration=at)
    assert clock_wraps(system) == 1


def test_wraps_are_predicted_and_not_taken_for_coalesced() -> None:
    board = make_board([make_cell("cell0")])
    board = replace(board, clock=Clock("fake", 25_000_000, 32, 1, "cell0_handler"))
    system = make_system([Fraction(100)], board=board, duration=Fraction(200))
    findings = replace(FOUND, taken={0: 3}, served={0: 2})
    trace = trace_of(*job(0, 10, 60), *job(0, 100_000_020, 100_000_030))
    made = side(system, plan_of(2), measured(findings=findings, trace=trace))
    assert made.interrupts == Interrupts(predicted=3, taken=3, coalesced=0)


# --- execution times -----------------------------------------------------------------------------


def with_wcet(wcet_us: int, *, work: int | None = None) -> System:
    one = replace(make_task("t0", ms(5)), wcet=Fraction(wcet_us, 10**6))
    if work is not None:
        one = replace(one, body=None, work=work)
    other = replace(make_task("t1", ms(5)), wcet=Fraction(1, 1000))
    return make_system(tasks=[one, other], duration=ms(10))


def execution(**longest: int) -> Measured:
    return measured(
        findings=replace(FOUND, longest={int(name[1:]): n for name, n in longest.items()})
    )


def test_a_job_as_long_as_its_wcet_is_fine() -> None:
    assert excesses(with_wcet(100), execution(t0=3125, t1=1)) == ()  # 3125 x 32 ns = 100 us
    assert excesses(with_wcet(100), execution()) == ()


def test_a_job_an_instruction_longer_is_an_error_with_both_figures() -> None:
    found = excesses(with_wcet(100), execution(t0=3126))
    assert found == (Excess("t0", Fraction(100_032, 10**9), Fraction(100, 10**6)),)
    error = excess_error(with_wcet(100), found)
    assert error.exit is Exit.DOES_NOT_HOLD
    assert error.message == 'a body of task "t0" ran longer than its wcet'
    assert error.found == "100.032 us executed by body in one job"
    assert error.expected == "at most wcet = 100 us, or a larger wcet"
    assert error.place is not None


def test_the_worst_of_several_is_named() -> None:
    found = excesses(with_wcet(100), execution(t0=3126, t1=62_500))
    assert [one.task for one in found] == ["t1", "t0"]
    error = excess_error(with_wcet(100), found)
    assert error.message == 'a body of task "t1" ran longer than its wcet (2 tasks did)'
    assert error.found == "2 ms executed by body in one job"


def test_an_instruction_more_is_seen_in_long_jobs_too() -> None:
    (found,) = excesses(with_wcet(1_000_000), execution(t0=31_250_001))
    error = excess_error(with_wcet(1_000_000), [found])
    assert error.found == "1.000000032 s executed by body in one job"
    assert error.expected == "at most wcet = 1 s, or a larger wcet"


def test_the_stub_around_the_work_loop_is_not_the_users() -> None:
    system = with_wcet(64, work=1000)
    assert excesses(system, execution(t0=2000 + 16)) == ()
    assert len(excesses(system, execution(t0=2000 + 17))) == 1
    assert len(excesses(with_wcet(64), execution(t0=2001))) == 1


def test_nothing_is_checked_where_instructions_have_no_length() -> None:
    system = with_wcet(1)
    system = replace(
        system, board=make_board([make_cell("cell0", min_counts=250)], ns_per_instruction=None)
    )
    assert excesses(system, execution(t0=10**9)) == ()


# --- the stages, with a fake runner --------------------------------------------------------------


@dataclass
class FakeRunner:
    """Returns what it was given and remembers what it was asked."""

    returns: Sequence[Measured]
    asked: list[tuple[System, Plan, Kernel]] = field(default_factory=list)

    def measure(self, system: System, plan: Plan, kernel: Kernel, *_: object) -> Measured:
        self.asked.append((system, plan, kernel))
        return replace(self.returns[len(self.asked) - 1], kernel=kernel)


def launch(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    runner: FakeRunner,
    system: System,
    *,
    compare: bool,
    source: Path | None = Path("FreeRTOS-Kernel"),
    baselines: tuple[Baseline, ...] = (Baseline.STOCK,),
) -> tuple[pipeline.Outcome, list[str]]:
    """pipeline.measure with nothing built and nothing booted."""
    said: list[str] = []

    def build_firmware(
        system: System,
        plan: Plan,
        out: Path,
        freertos: Path | None,
        *,
        checks: bool,
        baselines: Sequence[Baseline],
        ring: Ring | None,
    ) -> Firmware:
        assert ring is None  # only a run by a probe has one
        can = [one for one in baselines if tick_of(system, one).hz is not None]
        theirs = {} if freertos is None else {one: out / f"{one.value}.elf" for one in can}
        return Firmware(
            out, out / "horolog.elf", next(iter(theirs.values()), None), baselines=theirs
        )

    monkeypatch.setattr(pipeline, "build_firmware", build_firmware)
    monkeypatch.setattr(pipeline, "freertos_source", lambda: source)
    monkeypatch.setattr(pipeline, "freertos_version", lambda folder: "V0")
    monkeypatch.setattr(pipeline, "tool_versions", lambda board: {"gcc": "1.2.3"})
    monkeypatch.setattr(pipeline, "_run", runner.measure)
    outcome = pipeline.measure(
        pipeline.Request(
            system,
            plan(system, prices=NOTHING),
            tmp_path,
            said.append,
            command="horolog as typed",
            compare=compare,
            baselines=baselines,
        )
    )
    return outcome, said


EMULATED = replace(
    SYSTEM, board=replace(make_board(), arch="armv7m", port=ports()["armv7m", "nvic"])
)


def test_a_run_measures_one_kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    runner = FakeRunner([measured()])
    outcome, said = launch(monkeypatch, tmp_path, runner, EMULATED, compare=False)
    assert [kernel.name for _, _, kernel in runner.asked] == [HOROLOG]
    assert outcome.freertos == {}
    assert outcome.result.ratio is None
    assert outcome.result.not_compared is None
    assert outcome.result.commands == ("horolog as typed",)
    assert "freertos" not in outcome.result.versions
    written = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert written["horolog"]["jobs"] == 2
    assert said[0] == "building"


def test_a_comparison_measures_both_by_the_same_rules(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    busier = replace(FOUND, total=1065, function={**FOUND.function, 2: 105})
    runner = FakeRunner([measured(), measured(findings=busier)])
    outcome, said = launch(monkeypatch, tmp_path, runner, EMULATED, compare=True)
    kernels = [kernel for _, _, kernel in runner.asked]
    assert [kernel.name for kernel in kernels] == [HOROLOG, FREERTOS]
    assert (kernels[1].tick_hz, kernels[1].start_ticks) == (1000, 21)
    assert outcome.result.ratio == Fraction(130, 65)
    assert outcome.result.versions["freertos"] == "V0"
    assert said[0] == "building both kernels' firmware"


def test_every_baseline_is_run_by_its_own_rules_and_the_strongest_leads(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def busy(more: int) -> Measured:
        function = {**FOUND.function, 2: FOUND.function[2] + more}
        return measured(findings=replace(FOUND, total=FOUND.total + more, function=function))

    runner = FakeRunner([busy(0), busy(65), busy(13), busy(26)])
    every = ON_ONE_CORE
    outcome, said = launch(monkeypatch, tmp_path, runner, EMULATED, compare=True, baselines=every)
    kernels = [kernel for _, _, kernel in runner.asked]
    assert [kernel.name for kernel in kernels] == [HOROLOG, *(one.title for one in every)]
    assert [kernel.cell for kernel in kernels[1:]] == [None, None, "cell0"]
    assert tuple(outcome.freertos) == every
    result = outcome.result
    kernel = result.horolog.counted.kernel
    ratios = [result.ratio_to(one) for one in every]
    assert ratios == [Fraction(kernel + more, kernel) for more in (65, 13, 26)]
    assert result.strongest is Baseline.RATE_GROUP
    written = json.loads(outcome.file.read_text(encoding="utf-8"))
    assert list(written["baselines"]) == ["rate-group", "notify"]
    assert written["strongest"]["baseline"] == "rate-group"
    assert [line for line in said if "FreeRTOS" in line] == [
        "running FreeRTOS, tick, 1 kHz",
        "running FreeRTOS, rate groups, tick, 1 kHz",
        "running FreeRTOS, notify, cell0, 200 Hz",
    ]


def test_without_the_stock_side_its_fields_are_empty(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    runner = FakeRunner([measured(), measured()])
    of = (Baseline.RATE_GROUP,)
    outcome, _ = launch(monkeypatch, tmp_path, runner, EMULATED, compare=True, baselines=of)
    assert outcome.result.freertos is None
    assert outcome.result.not_compared is None
    assert outcome.result.ratio_to(Baseline.RATE_GROUP) == 1
    assert outcome.result.refused_to(Baseline.NOTIFY) is None


def test_a_side_that_cannot_do_the_work_says_so_and_the_others_stand(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Overloaded(FakeRunner):
        def measure(self, system: System, plan: Plan, kernel: Kernel, *_: object) -> Measured:
            if kernel.cell is not None:
                raise NeverIdle(f"{kernel.name} was never idle")
            return super().measure(system, plan, kernel)

    runner = Overloaded([measured()] * 3)
    every = ON_ONE_CORE
    outcome, _ = launch(monkeypatch, tmp_path, runner, EMULATED, compare=True, baselines=every)
    assert list(outcome.freertos) == [Baseline.STOCK, Baseline.RATE_GROUP]
    assert outcome.result.refused_to(Baseline.NOTIFY) == "FreeRTOS, notify was never idle"
    assert outcome.result.ratio == 1


def test_a_rounded_side_is_measured_by_its_own_periods_and_gets_no_ratio(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    system = replace(EMULATED, tasks=make_system([ms("7.003")]).tasks, duration=ms(10))
    trace = trace_of(*job(0, 10, 60), *job(0, 7020, 7030))
    runner = FakeRunner([measured(trace=trace), measured(trace=trace)])
    outcome, _ = launch(monkeypatch, tmp_path, runner, system, compare=True)
    assert [one.tasks[0].period for one, _, _ in runner.asked] == [ms("7.003"), ms(7)]
    theirs = outcome.result.freertos
    assert theirs is not None
    assert theirs.rounded == Fraction(3, 7003)
    assert outcome.result.ratio is None
    assert outcome.result.ratio_refused == "FreeRTOS rounds periods, by up to 0.043 %"
    assert outcome.result.notes == (
        "no tick of up to 10 kHz expresses these periods: where FreeRTOS ticks, at 1 kHz, it rounds them, "
        "by up to 0.043 %",
    )


@pytest.mark.parametrize(
    ("system", "source", "why"),
    [
        (EMULATED, None, "FreeRTOS's source is not here: set FREERTOS_KERNEL"),
        (SYSTEM, Path("there"), "no instructions are counted on the host port"),
        (
            replace(EMULATED, tasks=make_system([ms("0.07")]).tasks, duration=ms("0.07")),
            Path("there"),
            "no tick of up to 10 kHz comes within 10 % of every period",
        ),
    ],
)
def test_what_cannot_be_compared_is_measured_alone_and_says_why(
    system: System,
    source: Path | None,
    why: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    runner = FakeRunner([measured()])
    outcome, _ = launch(monkeypatch, tmp_path, runner, system, compare=True, source=source)
    assert len(runner.asked) == 1
    assert outcome.result.freertos is None
    assert outcome.result.not_compared is not None
    assert why in outcome.result.not_compared


def test_a_raised_tick_is_a_note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    system = replace(EMULATED, tasks=make_system([ms("2.5")]).tasks, duration=ms(5))
    trace = trace_of(*job(0, 10, 60), *job(0, 2520, 2530))
    runner = FakeRunner([measured(trace=trace), measured(trace=trace)])
    outcome, _ = launch(monkeypatch, tmp_path, runner, system, compare=True)
    assert outcome.result.notes == (
        "FreeRTOS ticks at 2 kHz here: 1 kHz cannot express these periods",
    )


def test_a_body_beyond_its_wcet_is_measured_and_compared_with_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    system = replace(with_wcet(1), board=EMULATED.board)
    runner = FakeRunner([execution(t0=10**6)])
    outcome, _ = launch(monkeypatch, tmp_path, runner, system, compare=True)
    assert [one.task for one in outcome.result.exceeded] == ["t0"]
    assert outcome.result.ratio is None
    assert outcome.result.ratio_refused == 'task "t0" ran longer than its WCET'
    assert outcome.file.read_text(encoding="utf-8") == to_json(outcome.result)
    assert len(runner.asked) == 1, "FreeRTOS was run for nothing"


def test_run_and_compare_leave_each_other_s_result(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    both = FakeRunner([measured(), measured()])
    compared, _ = launch(monkeypatch, tmp_path, both, EMULATED, compare=True)
    alone, _ = launch(monkeypatch, tmp_path, FakeRunner([measured()]), EMULATED, compare=False)
    assert (compared.file, alone.file) == (tmp_path / "result.json", tmp_path / "run.json")
    assert compared.file.read_text(encoding="utf-8") == to_json(compared.result)
    assert alone.file.read_text(encoding="utf-8") == to_json(alone.result)


# --- the host port's runner ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("done", "left", "message", "found"),
    [
        (Finished(None, "", "stuck"), "", "hangs: it was ended after 30 s", "stuck"),
        (Finished(-6, "", "host port: no cell"), "", "ended with status -6", "host port: no cell"),
        (Finished(1, "", ""), None, "ended with status 1", "no output"),
        (
            Finished(0, "", ""),
            "status busy\nopen_job 0 5\n",
            "never idle after the window (busy)",
            "unfinished: t0",
        ),
    ],
)
def test_a_host_port_that_fails_is_an_error(
    done: Finished,
    left: str | None,
    message: str,
    found: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    def call(command: Sequence[str], *, seconds: float) -> Finished:
        if left is not None:
            (tmp_path / "horolog.counts").write_text(left, encoding="ascii")
        return done

    monkeypatch.setattr("horolog.run.host.call", call)
    with pytest.raises(HorologError) as raised:
        run_on_host(SYSTEM, OURS, tmp_path / "horolog.elf", tmp_path)
    assert raised.value.exit is Exit.TARGET_FAILED
    assert message in raised.value.message
    assert raised.value.found == found


def test_the_host_port_is_told_the_window(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    commands: list[Sequence[str]] = []

    def call(command: Sequence[str], *, seconds: float) -> Finished:
        commands.append(command)
        (tmp_path / "horolog.counts").write_text("status done\ntaken 0 2\n", encoding="ascii")
        (tmp_path / "horolog.trace").write_text("0 S 0\n5 E 0\n", encoding="ascii")
        return Finished(0, "", "")

    monkeypatch.setattr("horolog.run.host.call", call)
    elf = tmp_path / "horolog.elf"
    found = run_on_host(SYSTEM, OURS, elf, tmp_path)
    (command,) = commands
    options = dict(zip(command[1::2], command[2::2], strict=True))
    assert command[0] == str(elf)
    assert options["--duration-counts"] == "250000"
    assert options["--start-counts"] == "25000"
    assert options["--limit-counts"] == str(250_000 + 25_000_000)
    assert found.image is None
    assert found.findings.taken == {0: 2}
    assert len(found.trace) == 2
