# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Where FreeRTOS's source is looked for, and that what is in the cache is what was released."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from horolog.build import freertos
from horolog.build.freertos import freertos_source
from horolog.model import Exit, HorologError

FILES = {
    "tasks.c": "int tasks;\n",
    "include/task.h": '#define tskKERNEL_VERSION_NUMBER "V11.2.0"\n',
}


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that holds the files of a list of hashes."""
    root = tmp_path / "root"
    (root / "baselines" / "freertos" / "fetch").mkdir(parents=True)
    sums = [
        f"{hashlib.sha256(text.encode()).hexdigest()}  {name}\n" for name, text in FILES.items()
    ]
    listed = root / "baselines" / "freertos" / "fetch" / "files.sha256"
    listed.write_text("# what is compiled\n" + "".join(sums), encoding="ascii")
    monkeypatch.setattr(freertos, "data_root", lambda: root)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("FREERTOS_KERNEL", raising=False)
    folder = tmp_path / "horolog" / "freertos-v11.2.0" / "FreeRTOS-Kernel"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_what_is_in_the_cache_is_taken(kernel: Path) -> None:
    assert freertos_source() == kernel


def test_an_empty_cache_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("FREERTOS_KERNEL", raising=False)
    assert freertos_source() is None


@pytest.mark.parametrize("change", ["int changed;\n", None])
def test_a_file_that_differs_is_not_measured(kernel: Path, change: str | None) -> None:
    """The version stands in a header, which says nothing about the other files."""
    if change is None:
        (kernel / "tasks.c").unlink()
    else:
        (kernel / "tasks.c").write_text(change, encoding="utf-8")
    with pytest.raises(HorologError) as raised:
        freertos_source()
    assert raised.value.exit is Exit.NOT_INSTALLED
    said = str(raised.value)
    assert "V11.2.0" in said
    assert str(kernel / "tasks.c") in said
    assert "baselines/freertos/fetch.sh" in said


def test_a_checkout_of_the_users_own_may_be_of_any_files(
    kernel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = kernel.rename(tmp_path / "own")
    (own / "tasks.c").write_text("int mine;\n", encoding="utf-8")
    monkeypatch.setenv("FREERTOS_KERNEL", str(own))
    assert freertos_source() == own
