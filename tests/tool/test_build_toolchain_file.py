# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A build folder that another toolchain file was configured with is configured anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.build.toolchain_file import toolchain_file
from horolog.read import read_board


@pytest.mark.parametrize("used", [None, "set(FLAGS -O1)\n"])
def test_a_folder_of_another_toolchain_file_loses_cmakes_cache(
    used: str | None, tmp_path: Path
) -> None:
    board, cache = read_board("atmega128"), tmp_path / "CMakeCache.txt"
    cache.write_text("flags of earlier", encoding="utf-8")
    if used is not None:
        (tmp_path / "toolchain.cmake").write_text(used, encoding="utf-8")
    file = toolchain_file(board, tmp_path)
    assert file.name == "avr.cmake"
    assert not cache.exists()
    cache.write_text("flags of today", encoding="utf-8")
    assert toolchain_file(board, tmp_path) == file
    assert cache.exists()


def test_a_new_folder_is_made(tmp_path: Path) -> None:
    assert toolchain_file(read_board("ibex-cells"), tmp_path / "a" / "b").is_file()
    assert [one.name for one in (tmp_path / "a" / "b").iterdir()] == ["toolchain.cmake"]
