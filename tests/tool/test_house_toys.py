# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A new command and a new timer device, each tried in a copy of the tree: how many files they touch.

test_house_queues.py does this for a delay queue, test_harness_toy.py for an experiment.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("boards/mps2-an385", "ports/cell", "src/horolog")
"""What a toy may touch; all else is the tree's own."""
LINKED = (
    "baselines",
    "cmake",
    "include",
    "kernel",
    "plugin",
    "setup",
    "systems",
    "watch",
    *(f"ports/{path.name}" for path in (ROOT / "ports").iterdir() if path.name != "cell"),
)
MOST_FILES = 3
"""With the toy's own test, which is here."""

COMMAND = '''\
"""horolog toy: says what a board is."""

import click

from horolog.cli import echo, echo_json, json_option
from horolog.read import read_board

__all__ = ["toy"]


@click.command()
@click.argument("board")
@json_option
def toy(board: str, as_json: bool) -> None:
    """What BOARD is."""
    title = read_board(board).title
    echo_json({"title": title}) if as_json else echo(title)
'''

SYSTEM = """\
[system]
name = "toy"
board = "mps2-an385"
duration = "100 ms"
cells = ["timer0"]

[[task]]
name = "fast"
period = "10 ms"
work = 10

[[task]]
name = "slow"
period = "25 ms"
work = 10
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """What the tool needs of a checkout."""
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in LINKED:
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def touched(tree: Path) -> set[str]:
    """The files of the copies that are new, or other than the tree's."""
    found = (path for name in COPIED for path in (tree / name).rglob("*"))
    names = [
        path.relative_to(tree).as_posix()
        for path in found
        if path.is_file() and path.suffix != ".pyc"
    ]
    return {
        name
        for name in names
        if not (ROOT / name).is_file() or (ROOT / name).read_bytes() != (tree / name).read_bytes()
    }


def horolog(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "horolog", *arguments],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


def replace_in(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_file_and_a_line_are_a_command(tree: Path) -> None:
    cli = tree / "src" / "horolog" / "cli"
    (cli / "toy.py").write_text(COMMAND, encoding="utf-8")
    last = '    "bench": _Command('
    line = '    "toy": _Command("Set-up", "What a board is.", "toy"),\n'
    replace_in(cli / "main.py", last, line + last)
    mine = touched(tree)
    assert mine == {"src/horolog/cli/main.py", "src/horolog/cli/toy.py"}
    assert len(mine) + 1 <= MOST_FILES

    assert "What a board is." in horolog(tree, "--help").stdout
    said = horolog(tree, "toy", "mps2-an385", "--json")
    assert said.returncode == 0, said.stderr
    assert "Cortex-M3" in json.loads(said.stdout)["title"]
    refused = horolog(tree, "toy", "mps2-an38", "--json")
    assert refused.returncode == 2
    assert "mps2-an385" in json.loads(refused.stdout)["error"]["expected"]


@pytest.mark.emulator
def test_a_header_and_a_cell_are_a_timer_device(tree: Path) -> None:
    """The toy is the same hardware under another name, so it runs."""
    devices = tree / "ports" / "cell"
    text = (devices / "cmsdk-timer" / "hrlp_cmsdk_timer.h").read_text(encoding="utf-8")
    toy = text.replace("cmsdk_timer", "toy_timer").replace("CMSDK_TIMER", "TOY_TIMER")
    (devices / "toy-timer").mkdir()
    (devices / "toy-timer" / "hrlp_toy_timer.h").write_text(toy, encoding="utf-8")
    board = tree / "boards" / "mps2-an385" / "board.toml"
    cell = '[[cell]]\nname = "timer0"\ndevice = "{}"'
    replace_in(board, cell.format("cmsdk-timer"), cell.format("toy-timer"))
    mine = touched(tree)
    assert mine == {"boards/mps2-an385/board.toml", "ports/cell/toy-timer/hrlp_toy_timer.h"}
    assert len(mine) + 1 <= MOST_FILES

    (tree / "system.toml").write_text(SYSTEM, encoding="utf-8")
    ran = horolog(tree, "run", "system.toml", "--json")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    side = json.loads(ran.stdout)["horolog"]
    assert (side["jobs"], side["deadline_misses"]) == (10 + 4, 0)
    (made,) = tree.rglob("hrl_gen_system.c")
    assert "hrlp_toy_timer" in made.read_text(encoding="utf-8")
