# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What is taken from the output of a build: its steps, and the warnings in the user's sources."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from horolog.build.output import Step, Warned, build_steps, keep_warnings

OUTPUT = """\
[0/2] Re-checking globbed directories...
[1/3] Building C object CMakeFiles/hrl_bodies.dir/my_place/bodies.c.obj
/my place/bodies.c: In function 'step':
/my place/bodies.c:4:9: warning: unused variable 'x' [-Wunused-variable]
    4 |     int x;
      |         ^
/my place/bodies.c:5:1: note: something else
    5 | }
/my place/bodies.c:7: warning: here without a column
[2/3] Building C object CMakeFiles/hrl_port.dir/cpu.c.obj
cpu.c:1:1: warning: not the user's
[3/3] Linking C executable horolog.elf
FAILED: horolog.elf
: && gcc -o horolog.elf && :
ld: bad
ninja: build stopped: subcommand failed.
"""
BODIES, PART = Path("/my place/bodies.c"), Path("/my place/part.c")
UNUSED = Warned(
    str(BODIES),
    4,
    9,
    "unused variable 'x' [-Wunused-variable]",
    ("    4 |     int x;", "      |         ^"),
)
PLAIN = Warned(str(BODIES), 7, None, "here without a column")


@pytest.fixture
def binaries(tmp_path: Path) -> Path:
    entries = [
        {
            "file": str(source),
            "command": f"gcc -DX='a b' -o CMakeFiles/hrl_bodies.dir/my_place/{source.name}.obj "
            f"-c '{source}'",
        }
        for source in (BODIES, PART)
    ]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    return tmp_path


def test_a_build_is_divided_into_steps() -> None:
    steps = build_steps(OUTPUT)
    assert [step.what.partition(" ")[0] for step in steps] == [
        "Re-checking",
        "Building",
        "Building",
        "Linking",
    ]
    assert [step.failed for step in steps] == [False, False, False, True]
    assert steps[3].said == ("ld: bad", "ninja: build stopped: subcommand failed.")
    assert build_steps("") == ()


def test_warnings_are_those_of_the_users_sources(binaries: Path) -> None:
    assert keep_warnings(binaries, [BODIES, PART], build_steps(OUTPUT)) == (UNUSED, PLAIN)


def test_warnings_are_kept_until_their_source_is_compiled_again(binaries: Path) -> None:
    keep_warnings(binaries, [BODIES, PART], build_steps(OUTPUT))
    assert keep_warnings(binaries, [BODIES, PART], ()) == (UNUSED, PLAIN)
    assert keep_warnings(binaries, [PART], ()) == ()  # another system's sources
    of_part = "Building C object CMakeFiles/hrl_bodies.dir/my_place/part.c.obj"
    said = Step(of_part, False, (f"{PART}:1:2: warning: other",))
    other = Warned(str(PART), 1, 2, "other")
    assert keep_warnings(binaries, [PART, BODIES], [said]) == (other, UNUSED, PLAIN)
    again = Step("Building C object CMakeFiles/hrl_bodies.dir/my_place/bodies.c.obj", False, ())
    assert keep_warnings(binaries, [BODIES, PART], [again]) == (other,)


def test_an_object_that_ninja_shows_in_quotes_is_known(tmp_path: Path) -> None:
    """CMake quotes a path with letters beyond ASCII in what Ninja shows."""
    source, made = Path("/wörk/a.c"), "CMakeFiles/hrl_bodies.dir/wörk/a.c.obj"
    entries = [{"file": str(source), "command": f"gcc -o '{made}' -c '{source}'"}]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    step = Step(f"Building C object '{made}'", False, (f"{source}:1:2: warning: other",))
    assert keep_warnings(tmp_path, [source], [step]) == (Warned(str(source), 1, 2, "other"),)


def test_a_folder_that_was_not_configured_has_none(tmp_path: Path) -> None:
    assert keep_warnings(tmp_path, [BODIES], build_steps(OUTPUT)) == ()


def test_a_warning_names_the_file_as_the_reader_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    assert UNUSED.shown().splitlines() == [
        "warning: my place/bodies.c:4:9: unused variable 'x' [-Wunused-variable]",
        *UNUSED.excerpt,
    ]
    assert PLAIN.beside(Path("/my place/sub")) == "../bodies.c:7: here without a column"
