# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What exceptions take by a core's manual: which boards have figures, the sum, and what is said of them."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

from tests.tool.test_result_json import result, side

from horolog.measure.exceptions import exception_cycles, why_no_exceptions
from horolog.measure.probe import read_findings
from horolog.model import Baseline
from horolog.model.exceptions import Exceptions
from horolog.model.result import Instructions
from horolog.model.result_json import to_json
from horolog.read import read_board
from horolog.report.wording import exception_rows, exceptions_text, ratio_rows

M3 = exception_cycles(read_board("mps2-an385"))
OURS = side(exceptions=Exceptions(10, 4))  # 30 instructions in the kernel, 10 jobs
THEIRS = side(instructions=Instructions(1000, 600, 300, {"f": 100}), exceptions=Exceptions(20, 0))
COMPARED = replace(result(), horolog=OURS, freertos=THEIRS, exception_cycles=M3)


def test_figures_come_with_their_source() -> None:
    assert M3 is not None
    assert (M3.entry, M3.exit, M3.tail_chained) == (12, 12, 6)
    assert M3.text.startswith("12 cycles in, 12 out, 6 tail-chained (Cortex-M3 Technical Reference")
    assert Exceptions(10, 4).cycles(M3) == 6 * 24 + 4 * 6


def test_why_nothing_is_added() -> None:
    def why(board: str, *, counted: bool = True) -> str | None:
        return why_no_exceptions(read_board(board), counted=counted)

    assert why("mps2-an385") is None
    assert why("mps2-an385", counted=False) == "this emulator does not let exceptions be counted"
    assert why("microbit") == "no manual is known that says what exceptions take on cortex-m0"
    assert why("ibex-cells") == "the cycles that are counted have those of exceptions in them"
    assert why("host") == "no instructions are counted on this board"
    assert exception_cycles(read_board("pico")) is None  # which counts cycles


def test_the_second_ratio_has_the_cycles_on_both_sides() -> None:
    ratio = Fraction(100 + 20 * 24, 30 + 168)
    assert COMPARED.ratio == Fraction(100, 30)
    assert COMPARED.ratio_with_exceptions(Baseline.STOCK) == ratio
    data = json.loads(to_json(COMPARED))
    assert data["ratio_exceptions"] == round(float(ratio), 4)
    assert data["ratio_basic_exceptions"] is None
    assert data["strongest"]["ratio_exceptions"] == data["ratio_exceptions"]
    assert data["horolog"]["exceptions"] == {
        "taken": 10,
        "tail_chained": 4,
        "per_job": 1,
        "cycles": 168,
        "kernel_with_cycles": 198,
    }
    assert data["exception_cycles"]["core"] == "cortex-m3"


def test_there_is_none_where_the_first_is_refused_or_exceptions_are_not_known() -> None:
    late = replace(COMPARED, freertos=replace(THEIRS, deadline_misses=1))
    assert late.ratio_with_exceptions(Baseline.STOCK) is None
    uncounted = replace(COMPARED, horolog=replace(OURS, exceptions=None))
    assert uncounted.ratio_with_exceptions(Baseline.STOCK) is None
    assert json.loads(to_json(uncounted))["horolog"]["exceptions"] is None
    unknown = replace(COMPARED, exception_cycles=None, no_exceptions="no manual says")
    data = json.loads(to_json(unknown))
    assert data["horolog"]["exceptions"]["cycles"] is None
    assert data["exceptions_refused"] == "no manual says"
    assert exceptions_text(unknown) == "No cycles are added for exceptions: no manual says."


def test_what_is_said_of_them() -> None:
    assert exception_rows(COMPARED) == [
        ("exceptions per job", {"ours": "1.000", "theirs": "2.000"}),
        ("kernel and exceptions per job", {"ours": "19.80", "theirs": "58.00"}),
    ]
    labels = [label for label, _ in ratio_rows(COMPARED)]
    assert labels == ["FreeRTOS to Horolog", "FreeRTOS to Horolog, with exceptions"]
    said = exceptions_text(COMPARED)
    assert said is not None
    assert said.startswith(
        "With the cycles of exceptions, Horolog takes 2.93\u00a0times less than stock"
    )
    assert exception_rows(result()) == []


def test_findings_without_exceptions_have_none() -> None:
    assert read_findings("status done\n").exceptions is None
    found = read_findings("status done\nexceptions 7\ntail_chained 2\n")
    assert (found.exceptions, found.tail_chained) == (7, 2)
