# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Where a ThreadX is that can be measured: a checkout that its user has built and names, or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.model import Exit, HorologError
from horolog_experiments.kernel.threadx import threadx_build, threadx_options, threadx_version

API = "common/inc/tx_api.h"
PORT = "ports/cortex_m3/gnu/inc/tx_port.h"
ARCHIVE = "build/libthreadx.a"
USER = "build/custom_inc/tx_user.h"
VERSION = "".join(
    f"#define THREADX_{part}_VERSION  {number}\n"
    for part, number in (("MAJOR", 6), ("MINOR", 4), ("PATCH", 2))
)
OPTIONS = """\
#ifndef TX_USER_H
#define TX_USER_H
/* #define TX_ENABLE_STACK_CHECKING */
/*
#define TX_TIMER_TICKS_PER_SECOND 100
*/
#define   TX_MAX_PRIORITIES\t 32  /* levels */
#define TX_DISABLE_ERROR_CHECKING
// #define TX_NO_TIMER
    # define TX_INLINE_THREAD_RESUME_SUSPEND
#endif
"""


def checkout(folder: Path, api: str = VERSION, user: str = OPTIONS) -> Path:
    for name, text in {API: api, PORT: "", ARCHIVE: "", USER: user}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def refused(monkeypatch: pytest.MonkeyPatch, folder: Path) -> str:
    monkeypatch.setenv("THREADX", str(folder))
    with pytest.raises(HorologError) as error:
        threadx_build()
    assert error.value.exit == Exit.BAD_INPUT
    return str(error.value)


@pytest.mark.parametrize("named", [None, ""])
def test_without_a_name_there_is_none(monkeypatch: pytest.MonkeyPatch, named: str | None) -> None:
    monkeypatch.delenv("THREADX", raising=False)
    if named is not None:
        monkeypatch.setenv("THREADX", named)
    assert threadx_build() is None


def test_one_that_is_built_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("THREADX", str(checkout(tmp_path)))
    assert threadx_build() == tmp_path
    assert threadx_version(tmp_path) == "6.4.2"


def test_its_options_are_what_is_defined_and_no_comment(tmp_path: Path) -> None:
    assert threadx_options(checkout(tmp_path)) == (
        "TX_MAX_PRIORITIES 32",
        "TX_DISABLE_ERROR_CHECKING",
        "TX_INLINE_THREAD_RESUME_SUSPEND",
    )


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        (API, "THREADX is no checkout of ThreadX"),
        (PORT, "THREADX is no checkout of ThreadX"),
        (ARCHIVE, "THREADX is a checkout of ThreadX that is not built"),
        (USER, "THREADX is a checkout of ThreadX that is not built"),
    ],
)
def test_a_folder_is_refused_by_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lost: str, said: str
) -> None:
    (checkout(tmp_path) / lost).unlink()
    text = refused(monkeypatch, tmp_path)
    assert text.startswith(f"{said}\n")
    assert f"found:    {tmp_path}, without {lost}\n" in text
    assert f"expected: a folder with {API}, {PORT}, {ARCHIVE}, {USER}" in text


def test_all_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert f"without {API} and {PORT}" in refused(monkeypatch, tmp_path / "nowhere")


def test_a_version_that_is_not_said_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = refused(monkeypatch, checkout(tmp_path, api="#define THREADX_MAJOR_VERSION 6\n"))
    assert text.startswith("THREADX is a checkout of an unknown version of ThreadX\n")


@pytest.mark.parametrize("slow", ["TX_DISABLE_ERROR_CHECKING", "TX_INLINE_THREAD_RESUME_SUSPEND"])
def test_a_slower_configuration_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, slow: str
) -> None:
    user = OPTIONS.replace(slow, "TX_OTHER")
    text = refused(monkeypatch, checkout(tmp_path, user=user))
    assert text.startswith("THREADX is not built in its fastest configuration\n")
    assert f"found:    {tmp_path}/{USER}, without {slow}\n" in text
