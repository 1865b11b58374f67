# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the simulator of AVR boards measures, against cycles that are counted by hand (watched.S)."""

from __future__ import annotations

from pathlib import Path

from tests.avr.simulate import HZ, assembled, run

from horolog.image import read_image
from horolog.measure.probe import Findings, read_findings

NS = 10**9
END_NS = 2500 * NS // HZ + 1
"""Rounded up, so the first idle cycle behind it is the 2,501st."""
OPENED = 1021
"""Where the first interrupt's handler begins: asleep up to 1010, 8 cycles of entry, 3 of JMP."""
NAMES = ("vectors", "begin", "idle", "on_a", "body", "library")
KINDS = dict(zip(NAMES, "kkikbl", strict=True))


def configuration(elf: Path, *lines: str, cut_ns: int = 10 * END_NS) -> str:
    """What to watch of watched.S, and these lines."""
    symbols = read_image(elf).symbols
    low = {name: symbols[name] for name in NAMES}
    ends = dict(zip(NAMES, [*list(low.values())[1:], low["library"] + 4], strict=True))
    text = [
        f"steps_hz {HZ}",
        f"end_ns {END_NS}",
        f"late_ns {END_NS}",
        "limit_ns 10000000",
        "start_ns 10000000",
        "open_nth 1",
        f"out {elf.with_suffix('.counts')}",
        f"trace {elf.with_suffix('.trace')}",
        *(f"function {low[name]:#x} {ends[name]:#x} {KINDS[name]}" for name in NAMES),
        f"interrupt {low['on_a']:#x} {cut_ns}",
        f"job {low['body']:#x} {symbols['body_end']:#x} 0 0",
        f"threads {symbols['released']:#x} 4 1",
        *lines,
    ]
    return "\n".join(text) + "\n"


def watched(elf: Path, text: str, **limits: int) -> Findings:
    """The findings of a run by this configuration."""
    config = elf.with_suffix(".watch")
    config.write_text(text, encoding="ascii")
    done = run(elf, "--watch", str(config), **limits).done
    assert done.status == 0, done.errors
    return read_findings(elf.with_suffix(".counts").read_text(encoding="ascii"))


def ns(cycles: int) -> int:
    """So many cycles in ns, rounded down."""
    return cycles * NS // HZ


def test_cycles_are_charged_to_the_code_that_takes_them(tmp_path: Path) -> None:
    """Three interrupts of a window of 2,501 cycles, which closes asleep."""
    elf = assembled("watched", tmp_path)
    served = f"served {read_image(elf).symbols['served']:#x} 0 3"
    found = watched(elf, configuration(elf, served))
    assert (found.status, found.total, found.releases) == ("done", 2501, 3)
    handled = {"vectors": 2 * (8 + 3), "on_a": 3 * (16 + 4 + 4), "body": 3 * (3 + 4 + 4)}
    handled |= {"library": 3 * 5, "begin": 0}
    counts = dict(zip(NAMES, found.function.values(), strict=True))
    assert counts == {**handled, "idle": 2501 - sum(handled.values())}
    assert (found.elsewhere, found.library_in_bodies) == (0, 15)
    assert (found.taken, found.served) == ({0: 3}, {0: 3})
    assert found.longest == {0: 3 + 4 + 5}, "the body and its library, without its return"
    assert found.retired == 3 * (5 + 2)
    events = [(0, "I"), (8, "R"), (20, "S"), (32, "E")]
    assert elf.with_suffix(".trace").read_text() == "".join(
        f"{ns(1000 * lap + at)} {kind} 0\n" for lap in range(3) for at, kind in events
    )


def test_time_does_not_drift(tmp_path: Path) -> None:
    """A second of 7,372,800 cycles: the last event is where it belongs, to the nanosecond."""
    elf = assembled("watched", tmp_path)
    text = configuration(elf, cut_ns=2 * NS).replace(f"_ns {END_NS}", f"_ns {NS}")
    found = watched(elf, text.replace("limit_ns 10000000", f"limit_ns {2 * NS}"), cycles=2 * HZ)
    assert found.total == HZ
    assert found.taken == {0: HZ // 1000 + 1}
    last = elf.with_suffix(".trace").read_text().splitlines()[-1]
    assert last == f"{ns(HZ // 1000 * 1000 + 32)} E 0"


def test_a_flag_is_an_instant_that_is_served(tmp_path: Path) -> None:
    """Of a releaser that leaves no mark; the first flag comes before the entry that opens the window."""
    elf = assembled("watched", tmp_path)
    assert watched(elf, configuration(elf, "fires 12 0 4")).served == {0: 3}


def test_bits_are_released_byte_by_byte(tmp_path: Path) -> None:
    """A thread waits from the start on; the store of its bit's byte, the second, releases it, once."""
    elf = assembled("watched", tmp_path)
    word = f"{read_image(elf).symbols['released']:#x}"
    assert watched(elf, configuration(elf, f"waiting {word} 1", "masked 0 0 9")).releases == 1
    lines = elf.with_suffix(".trace").read_text().splitlines()
    assert [line for line in lines if " R " in line] == [f"{ns(8 + 2)} R 0"]


def test_what_takes_too_long(tmp_path: Path) -> None:
    """A window that never opens, and one in which not all is served until its limit."""
    elf = assembled("watched", tmp_path)
    text = configuration(elf)
    assert watched(elf, text.replace("start_ns 10000000", "start_ns 1000")).status == "silent"
    end = text.replace(f"end_ns {END_NS}", "end_ns 20000000")
    assert watched(elf, end).status == "busy"


def test_a_configuration_that_cannot_be_used(tmp_path: Path) -> None:
    """There is no such vector."""
    elf = assembled("watched", tmp_path)
    config = tmp_path / "config"
    config.write_text(configuration(elf, "fires 60 0 4"), encoding="ascii")
    done = run(elf, "--watch", str(config)).done
    assert done.status == 125
    assert "there is no interrupt 60" in done.errors


def test_visits_of_watched_code(tmp_path: Path) -> None:
    """From the first cycle of a visit to its last; the flag of each interrupt, in its cycle."""
    elf = assembled("watched", tmp_path)
    symbols = read_image(elf).symbols
    config, out = tmp_path / "config", tmp_path / "out"
    config.write_text(
        f"out {out}\nwatch {symbols['body']:#x} {symbols['library']:#x} 7\nlimit 1500\n"
    )
    assert run(elf, "--visits", str(config)).done.status == 0
    body, end = symbols["body"], symbols["body_end"]
    at = OPENED + 20
    lines = [
        "1010 flag 12",
        f"{at} + 7 {body:#x}",
        f"{at + 6} - 7 {end - 4:#x}",
        f"{at + 12} + 7 {end:#x}",
        f"{at + 15} - 7 {end:#x}",
    ]
    others = (" flag 13", " flag 14", " flag 24")  # channels that are not used; CTC's overflow
    seen = [line for line in out.read_text().splitlines() if not line.endswith(others)]
    assert seen == [*lines, "1500 end"]
