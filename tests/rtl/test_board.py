# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The whole board in its simulator, in both configurations: programs, what is watched, exact cycles."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from horolog.build.rtl import CONFIGURATIONS, simulator
from horolog.model import Exit, HorologError
from horolog.programs import call

PROGRAMS = Path(__file__).parent / "programs"
GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "timer-cells.md"
CYCLE_NS = 20

BACKGROUNDS = {
    "jumps": "",
    "loads and stores": "lw a0, 0(a3); lw a0, 4(a3); sw a0, 8(a3)",
    "multiplications": "mul a0, a1, a2",
    "divisions": "div a0, a1, a2",
    "branches not taken": "bnez zero, loop; bnez zero, loop; bnez zero, loop",
    "`wfi`": "wfi",
}
"""Loops that are interrupted, and what they are made of."""


@dataclass(frozen=True)
class Program:
    """An assembled program and where its symbols are."""

    elf: Path
    symbols: Mapping[str, int]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Program]:
    folder = tmp_path_factory.mktemp("programs")
    made = {name: assembled(name, folder / f"{name}.elf") for name in ("hello", "nest")}
    for number, background in enumerate(BACKGROUNDS.values()):
        elf = folder / f"latency-{number}.elf"
        made[f"latency-{number}"] = assembled("latency", elf, f"-DBACKGROUND={background}")
    return made


def assembled(name: str, elf: Path, *flags: str) -> Program:
    run(
        *("riscv64-unknown-elf-gcc", "-march=rv32imc", "-misa-spec=2.2", "-mabi=ilp32", *flags),
        *("-nostdlib", "-n", "-Wl,-Ttext=0x80000000", str(PROGRAMS / f"{name}.S"), "-o", str(elf)),
    )
    lines = run("riscv64-unknown-elf-nm", str(elf)).splitlines()
    return Program(elf, {line.split()[2]: int(line.split()[0], 16) for line in lines})


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def each_configuration() -> list[object]:
    """A worker of its own for each, as each builds a simulator; that of `small` is of no other test of CI.

    So it is a soak, as the board of that configuration is; its RTL is linted (test_lint.py).
    """
    soak = {"small": [pytest.mark.soak]}
    return [
        pytest.param(name, marks=[pytest.mark.xdist_group(f"rtl-{name}"), *soak.get(name, [])])
        for name in CONFIGURATIONS
    ]


configurations = pytest.mark.parametrize("configuration", each_configuration())


def events(path: Path) -> list[tuple[int, str, int | None]]:
    found = []
    for line in path.read_text(encoding="ascii").splitlines():
        cycle, kind, *number = line.split()
        found.append((int(cycle), kind, int(number[0], 0) if number else None))
    return found


@configurations
def test_a_program_prints_traps_sleeps_and_ends_with_its_status(
    configuration: str, programs: dict[str, Program], tmp_path: Path
) -> None:
    out = tmp_path / "events"
    board = simulator(configuration)
    hello = programs["hello"]
    done = call([str(board), "--elf", str(hello.elf), "--events", str(out)], seconds=60)
    assert (done.status, done.output) == (3, "hello\n"), done.errors
    happened = [(kind, number) for _, kind, number in events(out)]
    assert ("exception", 11) in happened, "the environment call"
    assert ("exception", 5) in happened, "the access fault"
    assert ("trap", 7) in happened, "the timer"
    assert ("trace", 0x12345678) in happened
    assert [kind for kind, _ in happened].count("mret") == 3


@configurations
def test_latencies_are_what_the_datasheet_says(
    configuration: str, programs: dict[str, Program], tmp_path: Path
) -> None:
    board = simulator(configuration)
    found = {}
    for number, background in enumerate(BACKGROUNDS):
        program, out = programs[f"latency-{number}"], tmp_path / "events"
        marks = [program.symbols["entry"], program.symbols["handler"]]
        command = [str(board), "--elf", str(program.elf), "--events", str(out)]
        command += ["--max-cycles", "600000", "--mark", hex(marks[0]), "--mark", hex(marks[1])]
        assert call(command, seconds=120).status == 124
        spans: dict[object, set[int]] = {}
        expiry = 0
        for cycle, kind, value in events(out):
            if kind == "expiry":
                expiry = cycle
            spans.setdefault(value if kind == "mark" else kind, set()).add(cycle - expiry)
        chosen = [spans[key] for key in (marks[0], "claim", marks[1])]
        found[background] = [f"{min(span)} .. {max(span)}" for span in chosen]
    column = CONFIGURATIONS[::-1].index(configuration)
    rows = {}
    for line in GUIDE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] in BACKGROUNDS:
            rows[cells[0]] = cells[1 + 3 * column : 4 + 3 * column]
    assert rows == found


# Cycles from the expiry of a cell, over a loop of jumps: to the interrupt being taken, the claim, the first
# instruction of the claimed handler. And from an mret to the next instruction. The datasheet states them.
EXPECTED = {"maxperf": (2, 5, 9, 2), "small": (2, 6, 10, 2)}


@configurations
def test_cycles_are_what_the_datasheet_says(
    configuration: str, programs: dict[str, Program], tmp_path: Path
) -> None:
    nest = programs["nest"]
    out = tmp_path / "events"
    command = [str(simulator(configuration)), "--elf", str(nest.elf), "--events", str(out)]
    command += ["--max-cycles", "900", "--mark", hex(nest.symbols["high"])]
    assert call(command, seconds=60).status == 124, "it goes on for ever"
    happened = events(out)
    at = {kind: cycle for cycle, kind, _ in reversed(happened)}  # the first of each
    assert happened[0][1:] == ("expiry", 1)
    expiry = at["expiry"]
    assert at["irq"] == expiry, "the line rises with the expiry"
    taken, claim, handler, back = EXPECTED[configuration]
    assert (
        at["trap"] - expiry,
        at["claim"] - expiry,
        at["mark"] - expiry,
        at["resume"] - at["mret"],
    ) == (
        taken,
        claim,
        handler,
        back,
    )


def watch(program: Program, folder: Path) -> str:
    at = program.symbols
    regions = (
        ("vectors", "kernel_end", "k"),
        ("idle", "idle_end", "i"),
        ("low_body", "high_body", "b"),
        ("high_body", "bodies_end", "b"),
    )
    return "\n".join(
        [
            f"ns_per_instruction {CYCLE_NS}",
            f"end_ns {40_000 * CYCLE_NS}",
            f"limit_ns {90_000 * CYCLE_NS}",
            f"start_ns {90_000 * CYCLE_NS}",
            "open_nth 1",
            f"out {folder / 'counts'}",
            f"trace {folder / 'trace'}",
            *(f"function {at[low]:#x} {at[high]:#x} {kind}" for low, high, kind in regions),
            *(f"interrupt {at[handler]:#x} {40_000 * CYCLE_NS}" for handler in ("low", "high")),
            f"job {at['low_body']:#x} {at['low_body_end']:#x} 0 0",
            f"job {at['high_body']:#x} {at['high_body_end']:#x} 0 0",
            "expiry 0 0",
            "expiry 1 1",
        ]
    )


def watched(configuration: str, program: Program, folder: Path) -> dict[str, list[int]]:
    """The counts, as the last number of each line by the words before it."""
    (folder / "watch").write_text(watch(program, folder) + "\n", encoding="ascii")
    command = [str(simulator(configuration)), "--elf", str(program.elf)]
    done = call([*command, "--watch", str(folder / "watch")], seconds=60)
    assert done.status == 0, done.errors
    counts: dict[str, list[int]] = {}
    for line in (folder / "counts").read_text(encoding="ascii").splitlines()[1:]:
        word, *numbers = line.split()
        counts.setdefault(word, []).append(int(numbers[-1]))
    return counts


@configurations
def test_cycles_are_charged_to_functions_and_jobs_nest(
    configuration: str, programs: dict[str, Program], tmp_path: Path
) -> None:
    counts = watched(configuration, programs["nest"], tmp_path)
    assert (tmp_path / "counts").read_text(encoding="ascii").startswith("status done\n")
    assert counts["taken"][1] == 58, "40000 / 700, and the first"
    assert sum(counts["function"]) + counts["elsewhere"][0] == counts["total"][0]
    assert counts["elsewhere"] == [0]
    low, high = counts["taken"]
    # Bodies execute what they are made of, however they are interrupted.
    assert counts["instructions"][2:] == [low * 48, high * 9]
    assert counts["body_instructions"] == [low * 48 + high * 9]
    # The job of the low body has the cycles of the body, not those of what preempts it.
    assert counts["longest"][1] == 8, "up to its last instruction, as in QEMU"
    assert counts["longest"][0] <= counts["function"][2] // low + 40
    lines = (tmp_path / "trace").read_text(encoding="ascii").split("\n")
    kinds = [line.split(" ", 1)[1] for line in lines if line]
    assert "S 0" in kinds
    story = "\n".join(kinds)
    took = {"maxperf": 10, "small": 13}[
        configuration
    ]  # from the interrupt to the body, the kernel's
    assert f"R 0\nI 0\nS 0\nR 1\nI 1\nK {took}\nS 1\nE 1\nE 0" in story, "preempted, gone on with"


def test_the_watch_is_over_early_if_a_system_never_starts_or_idles(
    programs: dict[str, Program], tmp_path: Path
) -> None:
    nest = programs["nest"]
    never = watch(nest, tmp_path).replace("open_nth 1", "open_nth 1000000")
    (tmp_path / "watch").write_text(never + "\n", encoding="ascii")
    command = [
        str(simulator("maxperf")),
        "--elf",
        str(nest.elf),
        "--watch",
        str(tmp_path / "watch"),
    ]
    assert call(command, seconds=60).status == 0
    assert (tmp_path / "counts").read_text(encoding="ascii").startswith("status silent\n")
    busy = watch(nest, tmp_path).replace(" i\n", " k\n")
    (tmp_path / "watch").write_text(busy + "\n", encoding="ascii")
    assert call(command, seconds=60).status == 0
    assert (tmp_path / "counts").read_text(encoding="ascii").startswith("status busy\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "--elf FILE is missing"),
        (("--elf",), "--elf needs a value"),
        (("--no", "1"), "--no is no option"),
        (("--elf", "nowhere"), "nowhere: cannot be read"),
        (("--elf", "/bin/sh"), "not a 32-bit little-endian RISC-V ELF file"),
        (("--elf", "ELF", "--max-cycles", "ten"), "--max-cycles needs a number, not ten"),
        (("--elf", "ELF", "--watch", "nowhere"), "nowhere: cannot be read"),
        (("--elf", "ELF", "--watch", "WATCH"), "cannot use this line: nonsense"),
        (("--elf", "ELF", "--watch", "EMPTY"), "cannot use this line: server 0x80 0x80"),
        (("--elf", "ELF", "--vcd", "x.vcd"), "built without --vcd"),
    ],
)
def test_the_simulator_says_what_is_wrong(
    arguments: tuple[str, ...], says: str, programs: dict[str, Program], tmp_path: Path
) -> None:
    replaced = {"ELF": str(programs["nest"].elf)}
    for name, line in (("WATCH", "nonsense"), ("EMPTY", "server 0x80 0x80")):
        (tmp_path / name).write_text(f"{line}\n", encoding="ascii")
        replaced[name] = str(tmp_path / name)
    done = call([str(simulator("maxperf")), *(replaced.get(a, a) for a in arguments)], seconds=60)
    assert done.status == 125
    assert says in done.errors


@pytest.mark.soak  # the model is built for it alone: 44 s
def test_a_waveform_holds_the_cycles_asked_for(
    programs: dict[str, Program], tmp_path: Path
) -> None:
    wave = tmp_path / "nest.vcd"
    command = [str(simulator("maxperf", vcd=True)), "--elf", str(programs["nest"].elf)]
    command += ["--vcd", str(wave), "--vcd-from", "700", "--vcd-to", "720", "--max-cycles", "800"]
    assert call(command, seconds=60).status == 124
    text = wave.read_text(encoding="ascii")
    assert "irq_external_o" in text
    times = [int(line[1:]) for line in text.splitlines() if line.startswith("#")]
    assert times == [700 * CYCLE_NS + half * CYCLE_NS // 2 for half in range(40)]


def test_there_are_two_configurations_and_16_to_256_cells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(HorologError, match="no such configuration"):
        simulator("large")
    for cells in (15, 257):
        with pytest.raises(HorologError, match="so many timer cells"):
            simulator("small", cells=cells)
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(HorologError, match="not installed: verilator") as raised:
        simulator("small")
    assert raised.value.exit is Exit.NOT_INSTALLED
