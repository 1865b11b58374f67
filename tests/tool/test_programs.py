# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What other people's programs are started with."""

from __future__ import annotations

import pytest

from horolog.programs import call, follow


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
