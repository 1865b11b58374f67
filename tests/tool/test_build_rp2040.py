# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What simulates the board pico, found or missed. What it does is tested in tests/system/test_pico.py."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from horolog.build import rp2040
from horolog.build.rp2040 import rp2040_fetch, rp2040_simulator, rp2040_version, rp2040_watcher
from horolog.data import data_root
from horolog.model import Exit, HorologError

VERSION = "1.4.1"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty one; `node` is a stand-in."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    node(tmp_path, "v20.1.0")
    return tmp_path / "cache" / "horolog"


def node(folder: Path, version: str) -> None:
    tool = folder / "node"
    tool.write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
    tool.chmod(0o755)
    rp2040._node_major.cache_clear()


def install(cache: Path, lock: bytes) -> Path:
    folder = cache / f"rp2040js-{VERSION}"
    package = folder / "node_modules" / "rp2040js"
    package.mkdir(parents=True)
    (folder / "package-lock.json").write_bytes(lock)
    (package / "package.json").write_text(json.dumps({"version": VERSION}), encoding="utf-8")
    return package


def locked() -> bytes:
    return (data_root() / "rp2040" / "package-lock.json").read_bytes()


def test_what_is_in_the_cache_is_taken(cache: Path, tmp_path: Path) -> None:
    package = install(cache, locked())
    assert rp2040_version() == VERSION
    main = data_root() / "rp2040" / "main.cjs"
    assert rp2040_simulator() == [str(tmp_path / "node"), str(main), "--library", str(package)]


@pytest.mark.parametrize("lock", [None, b"{}"])
def test_without_it_an_error_says_how_to_get_it(cache: Path, lock: bytes | None) -> None:
    """Not fetched, or at another time from another lock."""
    if lock is not None:
        install(cache, lock)
    assert rp2040_version() == "absent"
    with pytest.raises(HorologError) as raised:
        rp2040_simulator()
    assert raised.value.exit is Exit.NOT_INSTALLED
    assert "not installed: rp2040js" in raised.value.message
    assert raised.value.expected is not None
    assert rp2040_fetch() in raised.value.expected


def test_a_node_that_is_too_old_is_named(cache: Path, tmp_path: Path) -> None:
    install(cache, locked())
    node(tmp_path, "v16.20.0")
    with pytest.raises(HorologError) as raised:
        rp2040_simulator()
    assert (raised.value.exit, raised.value.found) == (Exit.NOT_INSTALLED, "node 16")
    assert "node 18 or newer" in str(raised.value.expected)


def test_the_lock_names_the_version_that_is_looked_for() -> None:
    package = json.loads((data_root() / "rp2040" / "package.json").read_bytes())
    assert package["dependencies"] == {"rp2040js": VERSION}
    one = json.loads(locked())["packages"]["node_modules/rp2040js"]
    assert one["version"] == VERSION
    assert one["integrity"].startswith("sha512-")


def test_fetching_without_npm_says_what_is_missing(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("dirname", "cmp"):
        (programs / name).symlink_to(f"/usr/bin/{name}")
    script = str(data_root() / "rp2040" / "fetch.sh")
    environment = {"PATH": str(programs), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for options, status in (([], 3), (["--optional"], 0)):
        done = subprocess.run(
            ["/bin/sh", script, *options],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status
        assert "node is not installed" in done.stderr
        assert "sh " in done.stderr


@pytest.mark.usefixtures("cache")
def test_the_watcher_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    missing = tmp_path / "none.watch"
    for arguments, said in (([], "are needed"), ([str(missing), "true"], "none.watch")):
        done = subprocess.run(
            [str(rp2040_watcher()), *arguments], capture_output=True, text=True, check=False
        )
        assert done.returncode == 125
        assert said in done.stderr
