# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What other people's programs are started with."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from horolog.programs import call, follow, version, version_text


def test_what_would_change_a_build_or_its_words_stays_outside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CFLAGS", "-march=native")
    monkeypatch.setenv("LDFLAGS", "-s")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("LANGUAGE", "de")
    monkeypatch.setenv("NINJA_STATUS", "%p ")
    monkeypatch.setenv("KEPT", "kept")
    script = 'echo "$CFLAGS|$LDFLAGS|$LC_ALL|$LANGUAGE|$NINJA_STATUS|$KEPT"'
    wanted = "||C||[%f/%t] |kept\n"
    assert call(["sh", "-c", script], seconds=10).output == wanted
    followed = follow(["sh", "-c", script], seconds=10, every=10, tell=lambda: None)
    assert followed.output == wanted


def test_a_version_is_asked_for_again_when_the_program_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, asked = tmp_path / "teller", tmp_path / "asked"
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert version("teller") == "absent"

    def become(number: str) -> None:
        program.write_text(
            f"#!/bin/sh\necho >> {asked}\necho teller {number}\necho more\n", encoding="ascii"
        )
        program.chmod(0o755)

    become("1.2")
    assert [version("teller"), version("teller")] == ["1.2", "1.2"]
    assert version_text("teller") == "teller 1.2\nmore\n"
    assert asked.read_text(encoding="ascii") == "\n"
    become("1.23")
    assert version("teller") == "1.23"
    assert asked.read_text(encoding="ascii") == "\n\n"
