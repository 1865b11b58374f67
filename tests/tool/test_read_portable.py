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


def test_no_source_calls(tmp_path: Path) -> None:
    with pytest.raises(
        (HorologError, HorologErrors), match=r"no source includes <hrl/portable\.h>"
    ):
        read(tmp_path, "portable = true", "<stdint.h>")


@pytest.mark.parametrize("folder", [".", "more"])
def test_headers_of_the_application_are_followed(folder: str, tmp_path: Path) -> None:
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folder / "port.h").write_text(
        "/*\n#include <hrl/mutex.h>\n*/\n#include <hrl/event.h>\n"
    )
    build = f'\n[build]\ninclude = ["{folder}"]\n'
    with pytest.raises((HorologError, HorologErrors)) as caught:
        read(tmp_path, f"portable = true\n{build}", "<hrl/portable.h>", '"port.h"')
    assert "port.h:4" in str(caught.value)
    assert "<hrl/event.h>" in str(caught.value)
    assert "mutex" not in str(caught.value)


@pytest.mark.parametrize(
    ("left_out", "body", "expected"),
    [
        ('timeouts = "timer1"\n', "hrl_portable_sleep(HRL_PORTABLE_MS(3))", "timeouts = a cell"),
        ("", "HRL_PORTABLE_SEMAPHORE_DEFINE(s, 0, 1)", "start = a function"),
    ],
)
def test_what_calls_need_is_asked_for(
    left_out: str, body: str, expected: str, tmp_path: Path
) -> None:
    (tmp_path / "a.c").write_text(f"#include <hrl/portable.h>\nvoid a(void)\n{{\n    {body};\n}}\n")
    path = tmp_path / "system.toml"
    path.write_text(SYSTEM.replace("PORTABLE", "portable = true").replace(left_out or "\n\n\n", ""))
    with pytest.raises((HorologError, HorologErrors)) as caught:
        read_system(path)
    assert expected in str(caught.value)
