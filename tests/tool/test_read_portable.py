# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`portable` of [system], and the headers that sources include."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.model import HorologError, System
from horolog.read import HorologErrors, read_system

SYSTEM = """
[system]
name = "calls"
board = "mps2-an385"
duration = "20 ms"
cells = ["timer0"]
timeouts = "timer1"
sources = ["a.c"]
PORTABLE

[[task]]
name = "a"
period = "5 ms"
wcet = "50 us"
body = "a"
"""


def read(folder: Path, portable: str, *includes: str) -> System:
    lines = "".join(f"#include {name}\n" for name in includes)
    (folder / "a.c").write_text(f"{lines}void a(void)\n{{\n}}\n")
    path = folder / "system.toml"
    path.write_text(SYSTEM.replace("PORTABLE", portable))
    return read_system(path)


def test_sources_of_both_kernels(tmp_path: Path) -> None:
    system = read(tmp_path, "portable = true", "<hrl/portable.h>", '"hrl/console.h"', "<stdint.h>")
    assert system.portable
    assert system.uses_services, "no wait of a body is known to the analysis"
    assert not system.needs_horolog


def test_sources_of_horolog_alone(tmp_path: Path) -> None:
    system = read(tmp_path, "", "<hrl/semaphore.h>")
    assert not system.portable
    assert system.needs_horolog


@pytest.mark.parametrize(
    ("portable", "include", "texts"),
    [
        (
            "portable = true",
            "<hrl/mutex.h>",
            ("a.c:2", "includes <hrl/mutex.h>", "calls of <hrl/portable.h> alone"),
        ),
        (
            "",
            "<hrl/portable.h>",
            ("a.c:2", "[system] does not say so", "portable = true in [system]"),
        ),
        ("portable = false", "  <hrl/portable.h>", ("a.c:2", "portable = true in [system]")),
    ],
)
def test_a_header_that_contradicts_the_description(
    portable: str, include: str, texts: tuple[str, ...], tmp_path: Path
) -> None:
    with pytest.raises((HorologError, HorologErrors)) as caught:
        read(tmp_path, portable, "<stdint.h>", include)
    for text in texts:
        assert text in str(caught.value)


def test_nothing_calls(tmp_path: Path) -> None:
    path = tmp_path / "system.toml"
    text = SYSTEM.replace("PORTABLE", "portable = true").replace('sources = ["a.c"]', "")
    path.write_text(text.replace('body = "a"', "work = 100"))
    with pytest.raises((HorologError, HorologErrors), match="portable") as caught:
        read_system(path)
    assert "there are no sources" in str(caught.value)
