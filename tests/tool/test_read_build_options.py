# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path

import pytest

from horolog.emit import generate
from horolog.model import BuildOptions, Exit, HorologError, System
from horolog.plan import NOTHING, plan
from horolog.read import read_system

SYSTEM = """
[system]
name = "built"
board = "mps2-an385"
duration = "20 ms"
sources = ["a.c"]

[build]
OPTIONS

[[task]]
name = "a"
period = "5 ms"
wcet = "50 us"
body = "a"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.c").write_text("void a(void)\n{\n}\n")
    for name in ("inc", "more/inc", "lib"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("lib/libdsp.a", "lib/radio.o", "lib/notes.txt", "own.ld"):
        (tmp_path / name).write_bytes(b"")
    return tmp_path


def read(folder: Path, *options: str) -> System:
    path = folder / "system.toml"
    path.write_text(SYSTEM.replace("OPTIONS", "\n".join(options)))
    return read_system(path)


def test_without_the_table_nothing_is_said(folder: Path) -> None:
    assert read(folder).build == BuildOptions()


def test_every_key(folder: Path) -> None:
    system = read(
        folder,
        'include = ["inc", "more/inc"]',
        'define = ["USE_HAL", "N=3", "NAME=a b"]',
        'flags = ["-O3", "-fno-math-errno", "-Wno-unused", "-falign-functions=8", "-mslow-flash-data"]',
        'libraries = ["m", "lib/libdsp.a"]',
        'objects = ["lib/radio.o"]',
        'linker_script = "own.ld"',
        'c_standard = "17"',
        'cxx_standard = "20"',
        'warnings = "all"',
    )
    assert system.build == BuildOptions(
        include=(folder / "inc", folder / "more/inc"),
        define=("USE_HAL", "N=3", "NAME=a b"),
        flags=("-O3", "-fno-math-errno", "-Wno-unused", "-falign-functions=8", "-mslow-flash-data"),
        libraries=("m", str(folder / "lib/libdsp.a")),
        objects=(folder / "lib/radio.o",),
        linker_script=folder / "own.ld",
        constructs=True,  # which an object may ask for
        c_standard="17",
        cxx_standard="20",
        warnings="all",
    )
    text = generate(system, plan(system, prices=NOTHING).choice)["system.cmake"]
    assert f'set(HRL_USER_INCLUDES "{folder}/inc" "{folder}/more/inc" "{folder}")' in text
    assert "set(HRL_USER_DEFINES [==[USE_HAL]==] [==[N=3]==] [==[NAME=a b]==])" in text
    assert "set(HRL_USER_WARNINGS [==[-Wall]==] [==[-Wextra]==])" in text
    assert f"set(HRL_USER_LINKER_SCRIPT [==[{folder}/own.ld]==])" in text
    assert "HRL_USER_CXX " not in text
    assert "set(HRL_CONSTRUCTS 1)" in text


def test_a_star_fits_folders(folder: Path) -> None:
    for name in (
        "sdk/uart/include",
        "sdk/a b/include",
        "sdk/none",
        "sdk/x?z",
        "sdk/xyz",
        "sdk/.git/include",
    ):
        (folder / name).mkdir(parents=True)
    (folder / "sdk" / "include").write_bytes(b"")  # no folder
    found = read(
        folder, 'include = ["sdk/u*/include", "sdk/*/include", "*/inc*", "sdk/x?*"]'
    ).build.include
    names = ("sdk/uart/include", "sdk/a b/include", "more/inc", "sdk/x?z")
    assert found == tuple(folder / name for name in names)
    absolute = read(folder, f'include = ["{folder}/sdk/*/include"]').build.include
    assert absolute == tuple(folder / name for name in ("sdk/a b/include", "sdk/uart/include"))


@pytest.mark.parametrize(
    ("text", "constructs"),
    [
        ("__attribute__((constructor)) static void f(void) { }", True),
        ("static void __attribute__((used, __constructor__(101)))\nf(void) { }", True),
        ("[[gnu::constructor]] static void f(void) { }", True),
        ("/* a constructor */ __attribute__((used)) static int constructor;", False),
    ],
)
def test_constructors_of_c_are_seen(folder: Path, text: str, constructs: bool) -> None:
    (folder / "a.c").write_text(f"{text}\nvoid a(void)\n{{\n}}\n")
    assert read(folder).constructs is constructs


@pytest.mark.parametrize(
    ("option", "texts"),
    [
        ('include = ["nowhere"]', ("build.include[0]", 'no folder "nowhere"')),
        ('include = ["inc", "a.c"]', ("build.include[1]", 'no folder "a.c"')),
        ('include = ["inc", "more/x*"]', ("build.include[1]", 'no folder "more/x*"')),
        ('include = ["a*\\u0000"]', ("build.include[0]", "a NUL in it")),
        ('include = ["a;b"]', ("build.include[0]", "a semicolon in it")),
        ('define = ["7A"]', ("build.define[0]", "not a macro's definition")),
        ('define = ["A=$(x)"]', ("build.define[0]", "not a macro's definition")),
        ('define = ["A", "A=2"]', ("build.define[1]", "the macro A is defined twice")),
        ('define = ["HRL_CHECKS=1"]', ("build.define[0]", "one of Horolog's own")),
        ('flags = ["-Wl,-x"]', ("build.flags[0]", "not a flag that is taken")),
        ('flags = ["-O2 -g"]', ("build.flags[0]", "not a flag that is taken")),
        ('flags = ["-include/etc/passwd"]', ("build.flags[0]", "not a flag that is taken")),
        ('flags = ["-B."]', ("build.flags[0]", "not a flag that is taken")),
        ('flags = ["-fplugin=x"]', ("build.flags[0]", "names a program or a file")),
        ('flags = ["-g", "-mcpu=cortex-m4"]', ("build.flags[1]", "the processor is the board's")),
        ('flags = ["-flto"]', ("build.flags[0]", "-flto is not taken")),
        ('libraries = ["libm.a"]', ("build.libraries[0]", 'no archive "libm.a"')),
        ('libraries = ["-lm"]', ("build.libraries[0]", "no library is called")),
        ('objects = ["lib/notes.txt"]', ("build.objects[0]", "no object file or archive")),
        ('linker_script = "no.ld"', ("build.linker_script", 'no linker script "no.ld"', "*.ld")),
        ('linker_script = "a.c"', ("build.linker_script", 'no linker script "a.c"')),
        ('linker_script = "a;b.ld"', ("build.linker_script", "a semicolon in it")),
        ('linker_script = ["own.ld"]', ("build.linker_script",)),
        ('c_standard = "90"', ("build.c_standard", '"90"')),
        ('warnings = "some"', ("build.warnings", '"some"')),
        ('vectors = "mine"', ("build.vectors", '"mine"')),
        ('includes = ["inc"]', ("build.includes", "did you mean")),
    ],
)
def test_what_is_wrong_is_said_where_it_stands(
    folder: Path, option: str, texts: tuple[str, ...]
) -> None:
    with pytest.raises(HorologError) as caught:
        read(folder, option)
    said = str(caught.value)
    assert caught.value.exit is Exit.BAD_INPUT
    assert said.startswith(f"{folder / 'system.toml'}:9:")
    for text in texts:
        assert text in said
