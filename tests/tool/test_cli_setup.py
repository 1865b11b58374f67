# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The commands about set-up, and what all commands share."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

import horolog
from horolog.cli.main import main
from horolog.data import data_root
from horolog.model import HorologError
from horolog.read import system_schema

if TYPE_CHECKING:
    from tests.tool.conftest import Workshop

NEEDS = ("arm-none-eabi-gcc", "qemu-system-arm", "gcc", "cmake", "ninja")


def fake_tool(folder: Path, name: str, *lines: str) -> None:
    tool = folder / name
    tool.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
    tool.chmod(0o755)


LICENCE = re.compile(r"(SPDX-License-Identifier|Licence): 0BSD\b")


# ---- new -------------------------------------------------------------------------------------


def test_new_writes_a_system_that_is_valid(workshop: Workshop) -> None:
    folder = workshop.directory / "mine"
    said = workshop.run("new", str(folder))
    assert said.code == 0
    assert "horolog run system.toml" in said.out
    assert sorted(file.name for file in folder.iterdir()) == [
        ".gitignore",
        "bodies.c",
        "system.schema.json",
        "system.toml",
    ]
    checked = workshop.run("check", "--json", str(folder / "system.toml"))
    assert (checked.code, checked.object["findings"]) == (0, [])


def test_what_new_writes_belongs_to_the_user(workshop: Workshop) -> None:
    folder = workshop.directory / "mine"
    workshop.run("new", str(folder))
    for file in folder.iterdir():
        text = file.read_text(encoding="utf-8")
        assert LICENCE.search(text)
        assert "Apache" not in text


def test_new_leaves_the_schema_beside_the_system(workshop: Workshop) -> None:
    folder = workshop.directory
    said = workshop.run("new", "--json", str(folder))
    made = [".gitignore", "bodies.c", "system.schema.json", "system.toml"]
    assert (said.object["files"], said.object["kept"]) == (made, [])
    text = (folder / "system.toml").read_text(encoding="utf-8")
    assert text.splitlines()[2] == "#:schema ./system.schema.json"
    written = json.loads((folder / "system.schema.json").read_text(encoding="utf-8"))
    assert written.pop("$comment")
    assert written == system_schema()


@pytest.mark.parametrize("options", [(), ("--board", "microbit")])
def test_new_leaves_what_a_repository_has(workshop: Workshop, options: tuple[str, ...]) -> None:
    folder = workshop.directory / "mine"
    (folder / ".git").mkdir(parents=True)
    for name in (".gitignore", "README.md", "LICENSE"):
        (folder / name).write_text(f"my {name}")
    said = workshop.run("new", str(folder), *options)
    assert said.code == 0, said.err
    kept = ".gitignore, README.md" if options else ".gitignore"
    assert f"Left as it is, since you have one: {kept}\n" in said.out
    for name in (".gitignore", "README.md", "LICENSE"):
        assert (folder / name).read_text() == f"my {name}"
    assert workshop.run("check", str(folder / "system.toml")).code == 0


@pytest.mark.parametrize("template", ["control", "audio", "battery", "logger", "minimal"])
def test_new_writes_each_template(workshop: Workshop, template: str) -> None:
    folder = workshop.directory / template
    said = workshop.run("new", str(folder), "--template", template)
    assert said.code == 0, said.err
    assert {"system.toml", "system.schema.json", ".gitignore"} < {
        one.name for one in folder.iterdir()
    }
    for command in ("check", "plan"):
        said = workshop.run(command, str(folder / "system.toml"))
        assert said.code == 0, said.err


@pytest.mark.parametrize(
    ("template", "board", "lines"),
    [
        ("audio", "STM32F446RE", ['board = "./boards/stm32f446re"', 'sources = ["audio.c"]']),
        ("battery", "qemu-virt-rv32", ['cells = ["mtimecmp"]', 'sources = ["battery.c"]']),
        ("logger", "pico", ['cells = ["alarm0"]', 'timeouts = "alarm3"']),
    ],
)
def test_new_writes_a_template_for_a_board(
    workshop: Workshop, template: str, board: str, lines: list[str]
) -> None:
    """With the board's files, cells of the board, and no task of the other starter; it plans there."""
    folder = workshop.directory / "both"
    said = workshop.run("new", str(folder), "--template", template, "--board", board)
    assert said.code == 0, said.err
    text = (folder / "system.toml").read_text()
    assert 'name = "both"' in text
    for line in lines:
        assert line in text
    assert not (folder / "tasks.c").exists()
    assert "tasks.c" not in (folder / "README.md").read_text()
    assert (folder / "CMakeLists.txt").is_file()
    said = workshop.run("plan", str(folder / "system.toml"))
    assert said.code == 0, said.err


@pytest.mark.parametrize(
    ("template", "board", "why"),
    [
        ("control", "arduino-uno", "is predicted to need"),
        (
            "logger",
            "qemu-virt-rv32",
            "it needs two timer cells, one of them for time-outs (mtimecmp)",
        ),
    ],
)
def test_new_says_why_a_template_does_not_fit_a_board(
    workshop: Workshop, template: str, board: str, why: str
) -> None:
    folder = workshop.directory / "both"
    said = workshop.run("new", str(folder), "--template", template, "--board", board)
    assert said.code in (1, 2)
    assert f"the template {template} does not fit the board {board}" in said.err
    assert why in said.err
    assert f"or --board {board} without a template" in said.err
    assert not folder.exists()


def test_new_refuses_a_folder_that_is_not_empty(workshop: Workshop) -> None:
    path = workshop.write()
    said = workshop.run("new", str(workshop.directory))
    assert said.code == 2
    assert "is not empty" in said.err
    assert "bodies.c, system.toml" in said.err
    assert path.read_text(encoding="utf-8") == workshop.text
    said = workshop.run("new", "--json", str(path))
    assert said.code == 2
    assert said.object["error"]["found"] == "a file"


def test_new_where_nothing_can_be_written(workshop: Workshop) -> None:
    workshop.write()
    said = workshop.run("new", str(workshop.directory / "system.toml" / "below"))
    assert said.code == 2
    assert "cannot read or write: not a directory" in said.err


# ---- piped output ----------------------------------------------------------------------------


def test_piped_output_fits_the_columns_of_the_environment(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(workshop.write())
    widest = {}
    for columns in ("60", "", "wide"):
        monkeypatch.setenv("COLUMNS", columns)
        said = workshop.run("plan", path)
        assert said.code == 0, said.err
        widest[columns] = max(map(len, said.out.splitlines()))
    assert widest["60"] <= 60 < widest[""] == widest["wide"]


# ---- clean -----------------------------------------------------------------------------------


def test_clean_removes_what_was_built_and_nothing_else(workshop: Workshop) -> None:
    path = workshop.write()
    built = workshop.directory / "build" / workshop.read().name
    (built / "gen").mkdir(parents=True)
    (built / "gen" / "hrl_gen_system.c").write_text("int x;\n")
    (built / "report.html").write_text("<html>\n")
    (built.parent / "mine.txt").write_text("mine\n")
    said = workshop.run("clean", str(path), "--out", str(built))
    assert said.code == 0, said.err
    assert "2 files, 0.0 MB" in said.out
    assert [one.name for one in built.parent.iterdir()] == ["mine.txt"]
    said = workshop.run("clean", str(path), "--out", str(built), "--json")
    assert said.object == {"folder": str(built), "files": 0, "bytes": 0}


def test_clean_leaves_the_folder_of_the_project(workshop: Workshop) -> None:
    path = workshop.write()
    (workshop.directory / "gen").mkdir()  # as by build --out .
    (workshop.directory / "gen" / "hrl_gen_system.c").touch()
    said = workshop.run("clean", str(path), "--out", str(workshop.directory))
    assert said.code == 2
    assert f"{path} is in it" in said.err
    assert path.is_file()


@pytest.mark.parametrize("is_link", [False, True])
def test_clean_leaves_folders_that_no_build_has_made(workshop: Workshop, is_link: bool) -> None:
    path = workshop.write()
    folder = workshop.directory / "other"
    if is_link:
        (workshop.directory / "made" / "gen").mkdir(parents=True)
        (workshop.directory / "made" / "gen" / "hrl_gen_system.c").touch()
        folder.symlink_to(workshop.directory / "made")
    else:
        (folder / "cmake").mkdir(parents=True)
    said = workshop.run("clean", str(path), "--out", str(folder))
    assert said.code == 2
    assert "is not removed" in said.err
    assert folder.exists()


# ---- doctor ----------------------------------------------------------------------------------


def test_doctor_is_content_when_all_is_there(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NEEDS:
        fake_tool(tmp_path, name, 'echo "tool (Some 9.9 Build) 12.2.1 20221205"')
    monkeypatch.setenv("PATH", str(tmp_path))
    tools = {tool["name"]: tool for tool in workshop.run("doctor", "--json").object["tools"]}
    for name in NEEDS:
        assert tools[name]["version"] == "12.2.1"
        assert tools[name]["needed_by"] == "run"
    assert tools["clang-format"]["version"] is None
    assert tools["clang-format"]["needed_by"] == "tests"


def test_doctor_says_what_to_install(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_tool(tmp_path, "gcc", "echo gcc 12.2.0")
    fake_tool(tmp_path, "cmake", "exit 1")  # there, but broken
    fake_tool(tmp_path, "spin", '[ "$1" = -V ] && echo Spin Version 6.5.2')  # knows no --version
    monkeypatch.setenv("PATH", str(tmp_path))
    said = workshop.run("doctor")
    assert said.code == 3
    for text in (
        "arm-none-eabi-gcc is missing, needed by run: apt-get install gcc-arm-none-eabi",
        "qemu-system-arm is missing, needed by run: apt-get install qemu-system-arm",
        "cmake is missing, needed by run: apt-get install cmake",
        "ninja is missing, needed by run: apt-get install ninja-build",
    ):
        assert text in said.out
    assert "apt-get install gcc\n" not in said.out
    assert "apt-get install spin" not in said.out
    said = workshop.run("doctor", "--json")
    assert said.code == 3
    assert said.object["complete"] is False


# ---- all commands ----------------------------------------------------------------------------


def test_the_version(workshop: Workshop) -> None:
    assert workshop.run("--version").out == f"horolog, version {horolog.__version__}\n"


def test_the_help_names_every_command(workshop: Workshop) -> None:
    said = workshop.run("--help")
    assert said.code == 0
    for name in ("new", "check", "plan", "build", "run", "compare", "boards", "doctor", "schema"):
        assert f"\n  {name} " in said.out


def test_many_cells_that_are_alike_are_one_line(workshop: Workshop) -> None:
    said = workshop.run("boards", "ibex-cells")
    assert "cell0 to cell63" in said.out
    assert "cell1 " not in said.out
    assert "run by ibex, which counts cycles" in said.out
    few = workshop.run("boards", "mps2-an385").out
    assert "timer0 " in few
    assert "timer1 " in few
    assert "counts cycles" not in few


def test_a_wrong_freertos_is_reported_beside_the_rest(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FREERTOS_KERNEL", str(tmp_path / "nowhere"))
    said = workshop.run("doctor", "--json")
    tools = {tool["name"]: tool for tool in said.object["tools"]}
    assert tools["FreeRTOS-Kernel"]["version"] is None
    assert str(tmp_path / "nowhere") in tools["FreeRTOS-Kernel"]["install"]
    assert tools["cmake"]["version"]


@pytest.mark.parametrize("name", ["new", "check", "boards", "doctor", "schema"])
def test_every_command_has_help_and_json(workshop: Workshop, name: str) -> None:
    said = workshop.run(name, "--help")
    assert said.code == 0
    assert "--json" in said.out


def test_an_unknown_command(workshop: Workshop) -> None:
    said = workshop.run("frobnicate")
    assert said.code == 2
    assert "No such command" in said.err
    said = workshop.run("frobnicate", "--json")
    assert said.code == 2
    assert "No such command" in said.object["error"]["message"]


def test_a_missing_argument(workshop: Workshop) -> None:
    assert workshop.run("check").code == 2
    assert "Missing argument" in workshop.run("check", "--json").object["error"]["message"]


def test_a_command_whose_library_is_missing(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "horolog.cli.check", None)
    said = workshop.run("check", "x.toml")
    assert said.code == 3
    assert "no module horolog.cli.check" in said.err


def test_a_command_whose_package_is_missing(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: ())
    said = workshop.run("bench", "queues")
    assert said.code == 3
    assert '"horolog bench" needs the package horolog-experiments' in said.err
    assert "make setup-test" in said.err
    assert "bench" in workshop.run("--help").out


def test_starting_does_not_load_what_is_not_called() -> None:
    """`horolog --help` is quick: no validation, no plots, no templates."""
    script = (
        "import sys; from horolog.cli.main import main; main(['--help'], standalone_mode=False); "
        "print([m for m in ('pydantic', 'elftools', 'jinja2') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": str(Path(horolog.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.rstrip().endswith("[]")


def test_an_error_without_a_place_is_called_an_error(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    @click.command()
    def fails() -> None:
        raise HorologError("all is lost", found="nothing", expected="hope")

    monkeypatch.setattr(main, "get_command", lambda ctx, name: fails)
    said = workshop.run("run")
    assert (said.code, said.out) == (2, "")
    assert said.err == "error: all is lost\n  found:    nothing\n  expected: hope\n"


def test_the_data_lies_in_the_checkout() -> None:
    for folder in ("kernel", "ports", "boards", "include", "examples"):
        assert (data_root() / folder).is_dir()
