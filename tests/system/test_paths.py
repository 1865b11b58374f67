# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Folders and files with the names that people give them, from the description to the report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.system.support import horolog_process

SYSTEM = """\
[system]
name = "demo"
board = "mps2-an385"
duration = "50 ms"
sources = ["bödies.c"]

[[task]]
name = "fast"
period = "5 ms"
wcet = "120 us"
body = "fast_step"
"""


@pytest.mark.emulator
def test_a_folder_with_letters_of_other_languages(tmp_path: Path) -> None:
    folder = tmp_path / "Ünïcode dir \N{CJK UNIFIED IDEOGRAPH-6642}"
    folder.mkdir()
    (folder / "system.toml").write_text(SYSTEM, encoding="utf-8")
    (folder / "bödies.c").write_text("void fast_step(void)\n{\n}\n", encoding="utf-8")
    said = horolog_process("run", folder / "system.toml", "--json", folder=folder)
    assert said.code == 0, said.err
    assert said.object["horolog"]["jobs"] == 10
    assert str(folder) in said.object["commands"][0]
    out = folder / "build" / "demo"
    written = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert written == said.object
    assert folder.name in (out / "run.html").read_text(encoding="utf-8")


@pytest.mark.emulator
def test_a_project_that_was_moved_with_its_build_is_built_anew(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    (first / "system.toml").write_text(SYSTEM, encoding="utf-8")
    (first / "bödies.c").write_text("void fast_step(void)\n{\n}\n", encoding="utf-8")
    for folder in (first, second):
        said = horolog_process("build", folder / "system.toml", "--json", folder=folder)
        assert said.code == 0, said.err
        assert (folder / said.object["horolog"]).is_file()
        if folder is first:
            first.rename(second)
