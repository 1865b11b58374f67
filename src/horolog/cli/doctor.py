# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog doctor: what is installed, what it is for, and what to install for what is missing."""

from __future__ import annotations

import importlib.util
import platform
import re
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from horolog.cli import console, echo_json, json_option, plain_table
from horolog.cp_sat import INSTALL_ORTOOLS, ortools_version
from horolog.data import data_root
from horolog.model import Exit, HorologError
from horolog.programs import call

__all__ = ["doctor"]


_RUN = "run"
_NEEDED_BY = {"run": _RUN, "test": "tests", "pictures": "make pictures"}  # by group
_VERSION = re.compile(r"\d+\.\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class _Finding:
    """A tool, and what is there of it."""

    name: str
    version: str | None  # None: missing
    purpose: str
    needed_by: str  # "run": nothing boots without it; else the command or work that needs it
    install: str


@click.command()
@click.pass_context
@json_option
def doctor(ctx: click.Context, as_json: bool) -> None:
    """What is installed, what is missing, and how to get it.

    Exit status 3 when `horolog run` would miss something.
    """
    findings = [
        _python(),
        *_packages(),
        *_confinement(),
        *_gdb(),
        _ortools(),
        _ibex(),
        _rp2040js(),
        _cargo(),
        _freertos(),
    ]
    missing = [one for one in findings if one.version is None and one.needed_by == _RUN]
    if as_json:
        echo_json(_object(findings, complete=not missing))
    else:
        _print(findings)
    if missing:
        ctx.exit(int(Exit.NOT_INSTALLED))


def _python() -> _Finding:
    return _Finding("python", platform.python_version(), "this tool, 3.11 or newer", _RUN, "")


def _packages() -> Iterator[_Finding]:
    """What set-up would install: its list is the only one there is."""
    listed = tomllib.loads((data_root() / "setup" / "packages.toml").read_text(encoding="utf-8"))
    for package in listed["package"]:
        install = f"apt-get install {package['name']}"
        needed_by = _NEEDED_BY[package["group"]]
        if "command" in package:
            name = package["command"]
            version = _version(name)
        elif "file" in package:
            name = package["name"]
            pattern = package["file"].lstrip("/")
            version = "found" if any(Path("/").glob(pattern)) else None
        else:  # Python modules, with which set-up makes .venv; what runs now has its own
            continue
        yield _Finding(name, version, package["purpose"], needed_by, install)


def _confinement() -> Iterator[_Finding]:
    """What keeps firmware away from this machine (SECURITY.md); without it `horolog run` says a note."""
    from horolog.run.confine import has_sandbox
    from horolog.run.landlock import landlock_version

    sandbox = "on" if has_sandbox("qemu-system-arm") else None
    purpose, needed_by = "keeps firmware from starting programs", "firmware that is not trusted"
    yield _Finding("QEMU's -sandbox", sandbox, purpose, needed_by, "a QEMU built with seccomp")
    version = landlock_version()
    landlock = str(version) if version else None
    purpose, install = "keeps firmware from your files", "Linux 5.13 or newer with lsm=landlock"
    yield _Finding("Landlock", landlock, purpose, needed_by, install)


def _gdb() -> Iterator[_Finding]:
    for name, package, purpose in (
        ("gdb-multiarch", "gdb-multiarch", "debugger for run --gdb and --probe"),
        ("avr-gdb", "gdb-avr", "debugger for run --gdb, AVR boards"),
    ):
        yield _Finding(name, _version(name), purpose, "run --gdb", f"apt-get install {package}")


def _ortools() -> _Finding:
    """CP-SAT, which is not a part of the tool as it is most of an installation."""
    purpose = "plans of hard task sets are closer to the best; tasks divided among cores"
    return _Finding("OR-Tools", ortools_version(), purpose, 'plan, core = "auto"', INSTALL_ORTOOLS)


def _ibex() -> _Finding:
    """The RTL of the boards that count cycles; a simulator of it is built with verilator."""
    from horolog.build.rtl import IBEX, ibex_version

    found = ibex_version() if importlib.util.find_spec("pythondata_cpu_ibex") else None
    purpose = "the core's RTL, for the boards that count cycles (with verilator)"
    return _Finding(IBEX, found, purpose, "ibex-cells", f"python -m pip install {IBEX}")


def _rp2040js() -> _Finding:
    """What simulates the board pico, by node."""
    from horolog.build.rp2040 import RP2040JS, rp2040_fetch, rp2040_version

    node, found = _version("node"), rp2040_version()
    has_both = node is not None and found != "absent"
    first = "node 18 or newer with npm, then " if node is None else ""
    return _Finding(
        RP2040JS,
        f"{found}, node {node}" if has_both else None,
        "simulates the board pico",
        "pico",
        f"{first}{rp2040_fetch()}",
    )


def _cargo() -> _Finding:
    """What compiles the simulators of STM32 boards, pico2 and pico-x2 when they are needed first."""
    return _Finding(
        "cargo",
        _version("cargo"),
        "compiles the simulators of STM32 boards, pico2 and pico-x2, which need 1.88 or newer",
        "nucleo-f446re and other STM32 boards, pico2, pico-x2, and board new --part RP2350",
        "https://rustup.rs",
    )


def _version(command: str) -> str | None:
    """The version that `command --version` names first; None if it is missing or does not start.

    Or `command -V`: some programs, such as SPIN, know no other.
    """
    if shutil.which(command) is None:
        return None
    for option in ("--version", "-V"):
        try:
            done = call([command, option], seconds=20)
        except OSError:
            return None
        if done.status == 0:
            break
    else:
        return None
    number = _VERSION.search(re.sub(r"\([^)]*\)", "", done.output)) or _VERSION.search(done.output)
    return number[0] if number else "?"


def _freertos() -> _Finding:
    from horolog.build.freertos import freertos_source, freertos_version

    source, version = None, None
    install = "set FREERTOS_KERNEL to the path of a FreeRTOS-Kernel V11 source tree"
    try:
        source = freertos_source()
    except HorologError as error:  # there is one, but not what it should be
        install = f"{error.message}: {error.found}; expected: {error.expected}"
    if source is not None:
        version = freertos_version(source) or "found"
    return _Finding(
        "FreeRTOS-Kernel",
        version,
        "the baseline of horolog compare",
        "compare",
        install,
    )


def _object(findings: list[_Finding], *, complete: bool) -> dict[str, Any]:
    return {
        "complete": complete,
        "tools": [{**asdict(one), "install": one.install or None} for one in findings],
    }


def _print(findings: list[_Finding]) -> None:
    out = console()
    table = plain_table("", "tool", "version", "for")
    for one in findings:
        needed = one.needed_by == _RUN
        mark = "[green]ok[/]" if one.version else ("[red]missing[/]" if needed else "absent")
        table.add_row(mark, one.name, one.version or "", one.purpose)
    out.print(table)
    absent = [one for one in findings if one.version is None]
    if not absent:
        return
    out.print()
    for one in absent:
        out.print(f"{one.name} is missing, needed by {one.needed_by}: {one.install}")
