# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How the simulator of AVR boards comes into the cache. What it does is tested in tests/avr."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from horolog.build import simavr
from horolog.build.simavr import simavr_simulator, simavr_version
from horolog.data import data_root
from horolog.model import Exit, HorologError


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sources in a folder with a space, and a cache of their own."""
    root = tmp_path / "a place with ö"
    for folder in ("simavr", "watch"):
        copytree(data_root() / folder, root / folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(root / "cache"))
    monkeypatch.setattr(simavr, "data_root", lambda: root)
    return root


def test_it_is_compiled_again_when_a_source_has_changed(checkout: Path) -> None:
    for source in (checkout / "simavr").glob("*.c"):
        source.unlink()
    main = checkout / "simavr" / "main.c"
    main.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    first = simavr_simulator()
    made = first.stat().st_mtime_ns
    assert simavr_simulator() == first
    assert first.stat().st_mtime_ns == made
    main.write_text("int main(void) { return 1; }\n", encoding="utf-8")
    assert simavr_simulator() != first


def test_what_does_not_compile_is_not_kept(checkout: Path) -> None:
    (checkout / "simavr" / "main.c").write_text("#include <simavr/none.h>\n", encoding="utf-8")
    with pytest.raises(HorologError) as raised:
        simavr_simulator()
    assert raised.value.exit is Exit.NOT_INSTALLED
    assert raised.value.found is not None
    assert "simavr/none.h" in raised.value.found
    assert raised.value.expected is not None
    assert "apt-get install libsimavr-dev" in raised.value.expected
    assert not [path for path in (checkout / "cache" / "horolog").iterdir() if path.suffix == ""]


def test_the_version_stands_in_its_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header = tmp_path / "config.h"
    monkeypatch.setattr(simavr, "_CONFIGURATION", header)
    assert simavr_version() == "absent"
    header.write_text("#define NOTHING\n", encoding="utf-8")
    assert simavr_version() == "unknown"
    header.write_text('#define CONFIG_SIMAVR_VERSION "1.6"\n', encoding="utf-8")
    assert simavr_version() == "1.6"
