# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench `kernel`: rows, readers, targets and the page, without running anything."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from horolog.data import data_root
from horolog.image import Image as Elf
from horolog.model import HorologError
from horolog_experiments.harness import entries, result_object, write_evidence
from horolog_experiments.kernel import (
    BEST,
    DATA,
    DIRECT,
    EXPERIMENT,
    OURS,
    ROM,
    ROWS,
    SIZES,
    THREADX,
    TUNED,
    Image,
    Results,
    Spans,
    images_of,
    read_spans,
    scenario,
    unavailable,
    watch_text,
)
from horolog_experiments.kernel.page import kernel_page
from horolog_experiments.kernel.recorded import Recorded, recorded, recorded_from
from horolog_experiments.kernel.targets import row_title

ROOT = Path(__file__).resolve().parents[2]


def made(ours: int = 30, theirs: int = 60, threadx: int | None = None) -> Results:
    """Every sample of ours costs `ours`, of FreeRTOS's `theirs`, of ThreadX's `threadx` (None: recorded)."""
    costs = {OURS: ours, THREADX: threadx}
    images = [image for image in images_of(None, {}) if costs.get(image.side, theirs) is not None]
    bytes_of = {ROM: (4000, 5000), "minimal_tuned": (3000, 6000)}
    return Results(
        spans={
            (image.side, image.scenario.name): Spans(
                10, cost, cost, 10 * cost, 40 if image.scenario.two_parts else 0
            )
            for image in images
            if image.scenario.name not in SIZES.values()
            for cost in (costs.get(image.side) or theirs,)
        },
        sizes={
            (image.side, what): bytes_of.get(what, (700, 800))[image.side != OURS]
            for image in images
            for what, within in SIZES.items()
            if within == image.scenario.name
        },
        platform="board",
        toolchain="compiler",
        freertos="V11.2.0",
        threadx=None if threadx is None else "6.9.9",
        threadx_options=() if threadx is None else ("TX_A 1", "TX_B"),
    )


def target(results: Results, name: str) -> dict[str, object]:
    (found,) = (
        one for one in entries(EXPERIMENT.targets, results) if str(one["name"]).startswith(name)
    )
    return found


def test_spans_are_read() -> None:
    found = read_spans("spans 4 10 13 46 8\ndone\n")
    assert found == Spans(samples=4, best=10, worst=13, total=46, call=8)
    assert found.average == Fraction(23, 2)


@pytest.mark.parametrize("text", ["", "spans 4 10 13 46 8\n", "done\n"])
def test_a_firmware_that_did_not_end_is_found(text: str) -> None:
    with pytest.raises(HorologError, match="did not come to its end"):
        read_spans(text)


def test_the_targets_of_the_issues_that_are_measured_here_are_unchanged() -> None:
    table = [
        (one["name"], one["sense"], one["target"]) for one in entries(EXPERIMENT.targets, made())
    ]
    assert table == [
        ("semaphore take + give in a loop that counts", "<=", 47),
        ("queue send + receive, 16 bytes, in a loop that counts", "<=", 105),
        (
            "attached interrupt raised by software that gives a semaphore, whole turn",
            "<=",
            60,
        ),
        ("pool take + give, in a loop that counts", "<=", 50),
        ("yield, round of five, one thread's turn", "<=", 38),
        ("suspend-resume chain of five, one thread's turn", "<=", 110),
        ("interrupt that resumes a higher thread, whole turn", "<=", 170),
        ("thread object, bytes, of a thread that is not periodic", "<=", 100),
        (
            "ROM of one thread that takes and gives a semaphore, another that prints a counter every 30 s, "
            "default store, `REPORT halt`, start-up, vectors and console in, bytes",
            "<=",
            4800,
        ),
        ("RAM of the same (.data and .bss) without stacks", "<=", 750),
        ("yield switch", "<=", 40),
        ("semaphore give + take, uncontended", "<=", 50),
        ("semaphore give that wakes a higher thread, to its first instruction", "<=", 110),
        ("mutex lock + unlock, uncontended", "<=", 60),
        ("queue send + receive, 16 bytes", "<=", 110),
        ("event set that wakes", "<=", 120),
        ("block pool take + give", "<=", 50),
        ("interrupt to thread, first handler instruction to first thread instruction", "<=", 110),
        ("sleep 1 ms with 1,000 others asleep, call + wake", "<=", 250),
        ("rows of the table where FreeRTOS is better", "==", 0),
        ("geometric mean of ours / FreeRTOS over all rows", "<=", 0.6),
        (
            "ROM of a minimal application with two threads and a semaphore, bytes, ours / FreeRTOS",
            "<=",
            0.8,
        ),
    ]


def test_targets_follow_from_the_rows() -> None:
    good = made()
    assert target(good, "yield switch")["measured"] == 30
    assert target(good, "rows of the table") == {
        "name": "rows of the table where FreeRTOS is better",
        "target": 0,
        "sense": "==",
        "measured": 0,
        "unit": "rows",
        "met": True,
    }
    rows = len(ROWS)
    expected = (0.5 ** (rows - 1) * 0.8) ** (1 / rows)
    assert target(good, "geometric mean")["measured"] == round(expected, 3)
    assert target(good, "ROM of a minimal")["measured"] == 0.8
    assert target(good, "ROM of a minimal")["met"] is True
    tuned = "`STORE sorted_list REPORT halt`, and FreeRTOS with the report that halts"
    said = f"4,000 bytes beside 5,000; tuned ({tuned}) 3,000 beside 6,000, 0.5"
    assert target(good, "ROM of a minimal")["note"] == said
    slept = str(target(good, "sleep")["note"])
    assert slept.startswith("call 4, wake 26; best 30, worst 30; FreeRTOS 60; tuned (")
    assert slept.endswith("`STORE calendar`) 30")


def test_a_target_of_another_page_is_not_on_this_one() -> None:
    pages = (ROOT / "docs" / "evidence" / f"{name}.md" for name in ("switch", "masked"))
    others = "".join(page.read_text() for page in pages)
    assert not [
        one["name"] for one in entries(EXPERIMENT.targets, made()) if f"| {one['name']} |" in others
    ]


def test_rows_that_are_tuned_count_for_nothing() -> None:
    whole = made()
    worse = {
        key: replace(one, total=10**6) for key, one in whole.spans.items() if "_tuned" in key[1]
    }
    sizes = dict(whole.sizes) | {(OURS, "minimal_tuned"): 10**6}
    tuned = replace(whole, spans=dict(whole.spans) | worse, sizes=sizes)
    assert tuned.spans != whole.spans
    for name in ("rows of the table", "geometric mean"):
        assert target(tuned, name) == target(whole, name)
    shown = kernel_page(tuned).split("## Tuned")[1]
    assert "`STORE calendar` | 100,000 | 60 | **1,666.667** |" in shown


def test_every_row_of_the_comparison_is_by_the_default_settings() -> None:
    for row in ROWS:
        one = scenario(row.scenario)
        assert (one.store, one.halts) == (None, False), one
    assert {one.row for one in TUNED} < set(ROWS)


def test_lost_rows_are_counted_and_named() -> None:
    bad = made(ours=61)
    found = target(bad, "rows of the table")
    assert (found["measured"], found["met"]) == (len(ROWS) - 1, False)
    assert "interrupt to thread (FreeRTOS: task notification)" in str(found["reason"])
    # A chain's increment is a fifth of its samples, on both sides.
    chain = next(row for row in ROWS if row.scenario == "chain")
    assert bad.value(chain, OURS) == Fraction(61, 5)
    assert bad.ratio(chain) == Fraction(61, 60)


def test_a_row_that_is_missing_is_null_and_no_comparison_is_met_without_it() -> None:
    whole = made()
    spans = {key: found for key, found in whole.spans.items() if key != (OURS, "mutex")}
    part = replace(whole, spans=spans, missing={"mutex": "Horolog has no mutexes yet"})
    assert target(part, "mutex") == {
        "name": "mutex lock + unlock, uncontended",
        "target": 60,
        "sense": "<=",
        "measured": None,
        "unit": "instructions",
        "met": False,
        "reason": "Horolog has no mutexes yet",
    }
    lost = target(part, "rows of the table")
    assert (lost["measured"], lost["met"]) == (0, False)
    assert "without mutex" in str(lost["reason"])
    assert target(part, "geometric mean")["met"] is False
    (row,) = (row for row in result_object(EXPERIMENT, part)["rows"] if row["scenario"] == "mutex")
    assert (row["horolog"], row["freertos"], row["ratio"]) == (None, 60, None)
    assert row["reason"] == "Horolog has no mutexes yet"
    assert "Horolog has no mutexes yet." in kernel_page(part)


def test_without_freertos_ours_is_still_there() -> None:
    whole = made()
    spans = {key: found for key, found in whole.spans.items() if key[0] == OURS}
    alone = replace(whole, spans=spans, sizes={(OURS, ROM): 4000}, freertos=None)
    assert target(alone, "yield switch")["met"] is True
    for name in ("rows of the table", "geometric mean", "ROM of a minimal"):
        found = target(alone, name)
        assert (found["measured"], found["met"]) == (None, False)
        assert "FREERTOS_KERNEL" in str(found["reason"])
    assert "not measured: FreeRTOS's source is not here" in kernel_page(alone)


def test_without_threadx_its_figures_are_those_recorded() -> None:
    results = made()
    known = recorded()
    text = kernel_page(results)
    assert f"ThreadX: {known.version}, **recorded** with {known.toolchain}" in text
    assert "| ThreadX (recorded) |" in text
    for row in BEST + DIRECT:
        assert results.value(row, THREADX) == known.samples[row.scenario] / row.divisor, (
            row.scenario
        )
    found = target(results, "semaphore take + give in a loop")
    semaphore = known.samples["turn_semaphore"]
    direct = known.samples["direct_semaphore"]
    assert found["note"] == (
        f"FreeRTOS 60, by notification 60, ThreadX {semaphore} (recorded); called directly 30 beside "
        f"FreeRTOS 60, by notification 60, ThreadX {direct} (recorded)"
    )
    assert result_object(EXPERIMENT, results)["threadx"] == f"{known.version}, recorded"


def test_with_threadx_its_figures_are_those_measured(tmp_path: Path) -> None:
    results = made(ours=30, theirs=60, threadx=20)
    text = kernel_page(results)
    assert "ThreadX: 6.9.9, measured in this run." in text
    assert "| ThreadX (measured) |" in text
    line = "| semaphore take + give in a loop that counts | 30 | 60 | 60 | 20 | 20 | **1.5** |"
    assert text.count(line) == 2, "one is called directly"
    written = write_evidence(EXPERIMENT, results, tmp_path / "kernel.md")
    record = recorded_from(written[-1].read_text())
    assert written[-1] == tmp_path / "kernel" / "recorded.json"
    assert (record.version, record.toolchain) == ("6.9.9", "compiler")
    assert record.options == ("TX_A 1", "TX_B")
    assert "ThreadX (measured): `TX_A 1`, `TX_B`." in text
    assert set(record.samples) == {row.scenario for row in BEST + DIRECT}
    assert [record.samples[name] for name in ("turn_chain", "thread")] == [
        Fraction(20),
        Fraction(800),
    ]
    assert results.best_other(BEST[0]) == 20
    assert made(threadx=90).best_other(BEST[0]) == 60


def test_the_recorded_figures_are_what_the_command_writes() -> None:
    text = (ROOT / "bench" / "kernel" / "threadx" / "recorded.json").read_text()
    known = recorded_from(text)
    assert isinstance(known, Recorded)
    results = made(threadx=1)
    keys = {one.scenario for one in BEST + DIRECT}
    assert {"TX_DISABLE_ERROR_CHECKING", "TX_INLINE_THREAD_RESUME_SUSPEND"} <= set(known.options)
    assert set(known.samples) == keys == set((results.record() or known).samples)


def test_a_part_of_a_round_is_shown_and_sought_by_its_own_share() -> None:
    results = made(ours=190, threadx=330)
    found = target(results, "yield, round of five")
    assert (found["measured"], found["met"]) == (38, True)
    others = "FreeRTOS 12, ThreadX 66 (measured)"
    assert found["note"] == f"{others}; called directly 38 beside {others}"


def test_rows_have_titles_of_their_own() -> None:
    titles = [row_title(row) for row in ROWS]
    assert len(set(titles)) == len(titles)
    assert "block pool take + give (FreeRTOS: queue of pointers)" in titles


def test_what_is_measured_is_kept_and_read_again() -> None:
    whole = replace(made(threadx=50), missing={"mutex": "none"})
    assert DATA.read(DATA.text(whole)) == whole


def test_every_image_has_its_sources() -> None:
    folder = data_root() / "bench" / "kernel"
    for image in images_of(None, {}):
        assert (folder / "scenarios" / f"{image.scenario.source}.c").is_file()
    assert {image.target for image in images_of(["semaphore"], {})} == {
        "horolog_semaphore",
        "freertos_semaphore",
        "notify_semaphore",
    }
    assert {image.target for image in images_of(["mutex"], {"mutex": "none"})} == {"freertos_mutex"}


def test_a_service_is_there_when_its_headers_are(tmp_path: Path) -> None:
    assert set(unavailable(tmp_path)) >= {"mutex", "queue", "event_wakes", "pool", "semaphore"}
    adapter = tmp_path / "bench" / "kernel" / "horolog" / "bench_mutex.h"
    adapter.parent.mkdir(parents=True)
    adapter.write_text("#include <hrl/mutex.h>\n")
    assert unavailable(tmp_path)["mutex"] == "Horolog has no mutexes yet"
    (tmp_path / "include" / "hrl").mkdir(parents=True)
    (tmp_path / "include" / "hrl" / "mutex.h").write_text("")
    assert "mutex" not in unavailable(tmp_path)


def test_marks_become_addresses() -> None:
    symbols = {
        "bench_mark_start": 0x10,
        "bench_mark_stop": 0x20,
        "bench_mark_pause": 0x30,
        "bench_mark_done": 0x40,
        "bench_mark_turn": 0x50,
        "hrlp_idle_loop": 0x100,
        "TIMER0_Handler": 0x200,
        "TIMER1_Handler": 0x300,
        "SysTick_Handler": 0x400,
    }
    elf = Elf(Path("x.elf"), (), symbols, {"hrlp_idle_loop": 32}, None)

    def lines(side: str, name: str) -> set[str]:
        return set(watch_text(Image(side, scenario(name)), elf, Path("/o")).splitlines())

    usual = {"out /o", "done 0x40", "stop 0x20"}
    assert lines(OURS, "yield") == usual | {"start 0x10"}
    assert lines("notify", "interrupt") == usual | {"start 0x300"}
    parts = usual | {"start 0x10", "pause 0x30", "pause 0x100 0x120"}
    assert lines(OURS, "sleep") == parts | {"resume 0x200"}
    assert lines("freertos", "sleep") == parts | {"resume 0x400"}
    assert lines(THREADX, "turn_pool") == {"out /o", "turn 0x50", "limit 1000"}


def test_the_evidence_is_the_page_and_its_data(tmp_path: Path) -> None:
    page = tmp_path / "kernel.md"
    written = write_evidence(EXPERIMENT, made(ours=61), page)
    assert written == [page, tmp_path / "kernel" / "measured.json"]
    text = page.read_text()
    parts = ("Targets", "Beside the best", "Beside FreeRTOS", "Tuned", "What differs")
    places = [text.index(f"## {part}\n") for part in parts]
    assert places == sorted(places)
    assert "| yield switch | 61 | 60 | **1.017** |" in text
    assert "-DHRL_CHECKS=0" in text
    assert "#define configUSE_TIME_SLICING 0" in text
    assert "#define INCLUDE_xTaskResumeFromISR 1" in text
    assert f"ThreadX (recorded): {', '.join(f'`{one}`' for one in recorded().options)}." in text


def test_the_committed_page_is_made_from_the_committed_data() -> None:
    folder = ROOT / "docs" / "evidence"
    text = (folder / "kernel" / "measured.json").read_text()
    results = DATA.read(text)
    assert DATA.text(results) == text
    assert kernel_page(results) == (folder / "kernel.md").read_text()
    assert json.dumps(result_object(EXPERIMENT, results))
