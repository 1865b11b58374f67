# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The ring as generated code."""

from __future__ import annotations

from pathlib import Path

from horolog.build.ring import Ring, write_ring


def test_the_ring_has_its_records_and_its_window(tmp_path: Path) -> None:
    write_ring(Ring(500, 1234), tmp_path / "gen")
    text = (tmp_path / "gen" / "hrl_gen_trace.c").read_text()
    assert "hrl_gen_trace_records[500]" in text
    assert "hrl_gen_trace_capacity = 500u;" in text
    assert "hrl_gen_trace_window = 1234u;" in text


def test_a_file_that_would_not_change_is_left_alone(tmp_path: Path) -> None:
    write_ring(Ring(500, 1234), tmp_path)
    before = (tmp_path / "hrl_gen_trace.c").stat().st_mtime_ns
    write_ring(Ring(500, 1234), tmp_path)
    assert (tmp_path / "hrl_gen_trace.c").stat().st_mtime_ns == before
