# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench `soak`: reader, targets, parts and page; and one part of it, quick."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.tool.conftest import Workshop

from horolog.model import Exit, HorologError
from horolog.programs import Finished
from horolog_experiments import soak as module
from horolog_experiments.harness import entries, result_object
from horolog_experiments.soak import (
    EXPERIMENT,
    PARTS,
    Campaign,
    Soak,
    measure_soak,
    queue_campaigns,
    soak_from,
    soak_page,
    soak_state,
    soak_text,
)
from horolog_experiments.sources import Sources

EVIDENCE = Path(__file__).resolve().parents[2] / "docs" / "evidence"
MODEL = Campaign("model", "part 1", 10_000_001, "steps", "from 1", True)
FUZZ = Campaign("fuzz", "fuzz_queue", 7, "runs", "1", True)
SOAK = Soak(
    (FUZZ, MODEL), {"model": "`horolog bench soak`", "fuzz": "`horolog bench soak --part fuzz`"}
)


def test_targets_follow_from_the_campaigns() -> None:
    steps, on_cores, failed = entries(EXPERIMENT.targets, SOAK)
    assert (on_cores["measured"], on_cores["reason"]) == (None, "not measured")
    assert (steps["measured"], steps["met"], failed["measured"], failed["met"]) == (
        10_000_001,
        True,
        0,
        True,
    )
    steps, _, failed = entries(
        EXPERIMENT.targets, Soak((replace(MODEL, amount=None, passed=False), FUZZ), SOAK.measured)
    )
    assert (steps["measured"], steps["met"]) == (0, False)
    assert (failed["measured"], failed["met"], failed["reason"]) == (1, False, "part 1")
    steps, *_ = entries(EXPERIMENT.targets, Soak((FUZZ,), {"fuzz": ""}))
    assert (steps["measured"], steps["reason"]) == (None, "not measured")


def test_a_part_measured_anew_leaves_the_others() -> None:
    again = replace(FUZZ, amount=8)
    merged = SOAK.with_parts_of(Soak((again,), {"fuzz": "later"}))
    assert merged == Soak((again, MODEL), {**SOAK.measured, "fuzz": "later"})
    text = soak_page(merged)
    assert "| fuzz_queue | passed | 8 runs | 1 |" in text
    assert "Measured by later, at a commit" in text
    assert "`horolog bench soak`, at a commit" in text
    assert "## Queues" not in text


THEN = Sources("aaaaaaaaaaaa", False, {"kernel": "1", "include": "2", "ports": "3"})


def test_the_page_names_the_commit_that_each_part_measured() -> None:
    whole = replace(SOAK, sources={"model": THEN, "fuzz": replace(THEN, modified=True)})
    assert soak_from(soak_text(whole)) == whole
    page = soak_page(whole)
    assert "at aaaaaaaaaaaa (`kernel/` 1, `include/` 2, `ports/` 3)." in page
    assert "at aaaaaaaaaaaa, with changes that are in no commit (" in page
    assert "at a commit that was not recorded." in soak_page(SOAK)
    again = whole.with_parts_of(Soak((FUZZ,), {"fuzz": "later"}))
    assert again.sources == {"model": THEN}


def test_a_part_is_out_of_date_when_what_it_measured_has_changed() -> None:
    parts = {"model": THEN, "fuzz": replace(THEN, modified=True)}
    soak = replace(SOAK, sources=parts, measured={**SOAK.measured, "faults": "before"})
    state = soak_state(soak, replace(THEN, commit="bbbbbbbbbbbb"))
    assert state["model"] is None  # another commit of the same trees
    assert state["fuzz"] == "measured at aaaaaaaaaaaa with changes that are in no commit"
    assert state["faults"] == "measured at a commit that was not recorded"
    assert state["queues"] == "not measured"
    trees = {**THEN.trees, "kernel": "9", "ports": "8"}
    state = soak_state(soak, replace(THEN, trees=trees))
    assert state["model"] == "measured at aaaaaaaaaaaa; since then kernel/ and ports/ changed"
    state = soak_state(soak, replace(THEN, modified=True))
    assert state["model"] == "measured at aaaaaaaaaaaa; there are changes that are in no commit"
    with pytest.raises(HorologError) as raised:
        soak_state(soak, None)
    assert raised.value.exit is Exit.NOT_INSTALLED


def test_the_command_says_what_to_run_again(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("horolog_experiments.soak.sources_of", lambda root: THEN)
    said = workshop.run("bench", "soak", "--status")
    assert said.code == Exit.DOES_NOT_HOLD
    assert [line.split()[0] for line in said.out.splitlines()] == list(PARTS)
    assert "horolog bench soak --part queues" in said.out
    listed = workshop.run("bench", "soak", "--status", "--json")
    assert set(listed.object["out_of_date"]) == set(PARTS)
    assert workshop.run("bench", "costs", "--status").code == Exit.BAD_INPUT


def test_data_say_all_that_is_measured() -> None:
    assert soak_from(soak_text(SOAK)) == SOAK
    assert [row["measured"] for row in result_object(EXPERIMENT, SOAK)["rows"]] == [
        "`horolog bench soak --part fuzz`",
        "`horolog bench soak`",
    ]


def test_what_ctest_wrote_is_read() -> None:
    junit = """<testsuite>
    <testcase name="soak_queue_a" status="run"><system-out>x
a: 1000 random operations
b: 234 random operations
</system-out></testcase>
    <testcase name="soak_b" status="fail"><failure/></testcase></testsuite>"""
    assert queue_campaigns(junit) == [
        Campaign("queues", "soak_queue_a", 1234, "random operations", "fixed", True),
        Campaign("queues", "soak_b", None, "random operations", "fixed", False),
    ]


def test_the_committed_page_is_made_from_the_committed_data() -> None:
    text = (EVIDENCE / "soak" / "measured.json").read_text()
    soak = soak_from(text)
    assert soak_text(soak) == text
    assert soak_page(soak) == (EVIDENCE / "soak.md").read_text()
    assert all(one.passed for one in soak.campaigns)


def test_a_part_of_the_model_s_campaign_that_fails_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight runs side by side; of one the process ends as it does when the kernel differs."""

    def call(command: list[str], *, seconds: float, folder: Path | None = None) -> Finished:
        if command[0] != sys.executable:
            return Finished(0, "", "")
        if command[-1] == "3000000":
            return Finished(1, "", "Differs")
        return Finished(0, f"{command[-2]} steps\n", "")

    monkeypatch.setattr(module, "call", call)
    monkeypatch.setattr(module, "sources_of", lambda root: THEN)
    soak = measure_soak(tmp_path, lambda text: None, ["model"])
    assert soak.sources == {"model": THEN}
    assert [one.passed for one in soak.campaigns] == [k != 2 for k in range(8)]
    assert (tmp_path / "model_2.txt").read_text() == "Differs"
    steps, _, failed = entries(EXPERIMENT.targets, soak)
    assert steps["measured"] == 7 * 1_250_000
    assert not steps["met"]
    assert not failed["met"]


def test_the_cores_that_did_least_decide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def call(command: list[str], *, seconds: float, folder: Path | None = None) -> Finished:
        if command[0] != sys.executable:
            return Finished(0, "", "")
        return Finished(0, f"{int(command[-3]) + int(command[-1])} steps\n", "")

    monkeypatch.setattr(module, "call", call)
    monkeypatch.setattr(module, "sources_of", lambda root: THEN)
    soak = measure_soak(tmp_path, lambda text: None, ["cores"])
    assert [one.amount for one in soak.campaigns] == [1_000_002, 1_000_004]
    _, on_cores, failed = entries(EXPERIMENT.targets, soak)
    assert (on_cores["measured"], on_cores["met"], failed["met"]) == (1_000_002, True, True)


def test_it_runs_in_a_checkout_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "data_root", lambda: tmp_path)
    with pytest.raises(HorologError, match="runs the kernel's tests") as caught:
        measure_soak(tmp_path, lambda text: None)
    assert caught.value.exit is Exit.NOT_INSTALLED


def test_parts_are_for_this_bench(workshop: Workshop) -> None:
    said = workshop.run("bench", "costs", "--part", "model")
    assert said.code == 2
    assert "the bench costs takes no --part" in said.err
    assert "the bench kernel takes no --quick" in workshop.run("bench", "kernel", "--quick").err
    assert set(PARTS) == {"queues", "model", "cores", "faults", "fuzz"}
