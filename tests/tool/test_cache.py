# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The user's cache folder: where it is; threads and processes fill it without disturbing each other."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree

import pytest

from horolog.cache import cache_folder, made_once, write_whole
from horolog.data import data_root
from horolog.measure import probe
from horolog.measure.probe import compiled_plugin
from horolog.model import Exit, HorologError

THREADS = 12
PROCESSES = 4


def makes(log: Path, name: str) -> Callable[[Path], None]:
    """Makes a file called `name` slowly, and notes in `log` that it was made."""

    def make(folder: Path) -> None:
        with log.open("a", encoding="utf-8") as notes:
            notes.write("made\n")
        with (folder / name).open("w", encoding="utf-8") as out:
            for part in ("first ", "second"):
                out.write(part)
                out.flush()

    return make


def test_the_folder_is_the_one_of_the_xdg_specification(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "horolog"
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for value in ("", "not/absolute"):
        monkeypatch.setenv("XDG_CACHE_HOME", value)
        assert cache_folder() == tmp_path / "home" / ".cache" / "horolog"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == tmp_path / "home" / ".cache" / "horolog"


def test_without_a_home_the_message_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    with pytest.raises(HorologError) as raised:
        cache_folder()
    assert raised.value.exit is Exit.NOT_INSTALLED
    assert "XDG_CACHE_HOME" in str(raised.value)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    in_the_way = tmp_path / "horolog"
    in_the_way.write_text("a file where a folder should be", encoding="utf-8")
    with pytest.raises(HorologError) as raised:
        made_once(in_the_way / "entry", makes(tmp_path / "log", "entry"))
    assert raised.value.exit is Exit.NOT_INSTALLED
    assert str(in_the_way) in str(raised.value)
    assert "XDG_CACHE_HOME" in str(raised.value)
    assert not (tmp_path / "log").exists()


def test_threads_make_an_entry_once(tmp_path: Path) -> None:
    entry, log = tmp_path / "new" / "entry", tmp_path / "log"
    with ThreadPoolExecutor(THREADS) as pool:
        done = [pool.submit(made_once, entry, makes(log, "entry")) for _ in range(4 * THREADS)]
        found = [one.result().read_text(encoding="utf-8") for one in done]
    assert {*found} == {"first second"}
    assert log.read_text(encoding="utf-8") == "made\n"
    assert {one.name for one in entry.parent.iterdir()} == {"entry", "entry.lock"}


def test_processes_make_an_entry_once_and_say_that_they_wait(tmp_path: Path) -> None:
    script = """
import sys, time
from pathlib import Path
from horolog.cache import made_once

def make(folder):
    with open(sys.argv[2], "a") as notes:
        notes.write("made\\n")
    time.sleep(0.5)
    (folder / "entry").mkdir()
    (folder / "entry" / "part").write_text("whole")

made = made_once(Path(sys.argv[1]), make, waiting=lambda: print("waits"))
print((made / "part").read_text())
"""
    entry, log = tmp_path / "entry", tmp_path / "log"
    command = [sys.executable, "-c", script, str(entry), str(log)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(PROCESSES)]
    said = [one.communicate()[0].decode().split() for one in running]
    assert [one.returncode for one in running] == [0] * PROCESSES
    assert all(words[-1] == "whole" for words in said)
    assert ["whole"] in said
    assert ["waits", "whole"] in said
    assert log.read_text(encoding="utf-8") == "made\n"


def test_what_fails_leaves_nothing_and_is_tried_again(tmp_path: Path) -> None:
    def breaks(folder: Path) -> None:
        (folder / "entry").write_text("half", encoding="utf-8")
        raise HorologError("it does not compile")

    entry = tmp_path / "entry"
    with pytest.raises(HorologError, match="does not compile"):
        made_once(entry, breaks)
    assert {one.name for one in tmp_path.iterdir()} == {"entry.lock"}
    assert made_once(entry, makes(tmp_path / "log", "entry")) == entry
    assert entry.read_text(encoding="utf-8") == "first second"


def test_threads_of_one_process_compile_a_plugin_into_an_empty_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with ThreadPoolExecutor(4) as pool:
        found = [one.result() for one in [pool.submit(compiled_plugin) for _ in range(8)]]
    assert len({*found}) == 1
    assert found[0].read_bytes()[:4] == b"\x7fELF"


@pytest.mark.parametrize("changed", ["plugin/horolog_plugin.h", "watch/lines.h", "watch/window.c"])
def test_a_change_of_what_a_plugin_is_made_from_is_another_plugin(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for folder in ("plugin", "watch"):
        copytree(data_root() / folder, tmp_path / "a place" / folder)
    monkeypatch.setattr(probe, "data_root", lambda: tmp_path / "a place")
    made = compiled_plugin("horolog_spans")
    assert compiled_plugin("horolog_spans") == made
    with (tmp_path / "a place" / changed).open("a", encoding="utf-8") as source:
        source.write("/* changed */\n")
    assert compiled_plugin("horolog_spans") != made


def test_a_file_is_replaced_whole_by_many_writers(tmp_path: Path) -> None:
    path = tmp_path / "costs.toml"
    texts = [str(digit) * 200_000 for digit in range(8)]
    seen = set()
    with ThreadPoolExecutor(THREADS) as pool:
        done = [pool.submit(write_whole, path, text) for text in texts * 4]
        while not all(one.done() for one in done):
            if path.exists():
                seen.add(path.read_text(encoding="utf-8"))
        for one in done:
            one.result()
    assert seen <= {*texts}
    assert [one.name for one in tmp_path.iterdir()] == ["costs.toml"]
    plain = tmp_path / "plain"
    plain.write_text("", encoding="utf-8")
    assert path.stat().st_mode == plain.stat().st_mode  # for others to read, as any file


def test_nothing_else_knows_where_the_cache_is() -> None:
    """One place says it, and the script that fetches FreeRTOS without Python."""
    root = Path(__file__).resolve().parents[2]
    listed = subprocess.run(
        ["git", "-C", root, "grep", "-l", "XDG_CACHE_HOME", "--", "src", "tests/rtl", "baselines"],
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode > 1:
        pytest.skip("no git checkout")
    assert listed.stdout.split() == ["baselines/freertos/fetch.sh", "src/horolog/cache.py"]
    assert os.access(root / "baselines" / "freertos" / "fetch.sh", os.R_OK)
