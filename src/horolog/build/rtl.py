# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The RTL board's simulator: Verilator builds it once for a configuration, into the user's cache."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from horolog.cache import cache_folder, made_once
from horolog.data import data_root
from horolog.model import HorologError, NotInstalled
from horolog.programs import call, require

__all__ = ["CONFIGURATIONS", "IBEX", "ibex_folder", "ibex_version", "simulator", "sources"]

IBEX = "pythondata-cpu-ibex"
"""The package that Ibex's sources come from."""
CONFIGURATIONS = ("small", "maxperf")
"""How the core is configured: its defaults; all of its options that save cycles."""

_UNPACKED = "unpacked"
_MOST_CELLS, _FEWEST_CELLS = 256, 16
_BUILD_SECONDS = 1200  # a build takes 15 s; a busy machine takes its time
_PRIM = "vendor/lowrisc_ip/ip/prim/rtl"
_PACKAGES = (  # SystemVerilog packages, which Verilator does not look for by itself
    "rtl/ibex_pkg.sv",
    f"{_PRIM}/prim_ram_1p_pkg.sv",
    f"{_PRIM}/prim_secded_pkg.sv",
    f"{_PRIM}/prim_mubi_pkg.sv",
    f"{_PRIM}/prim_util_pkg.sv",
    f"{_PRIM}/prim_count_pkg.sv",
    f"{_PRIM}/prim_cipher_pkg.sv",
)
_FLAGS = (
    *("--cc", "--exe", "--build", "-j", "2", "-O3"),
    *("-CFLAGS", "-std=c++17", "-MAKEFLAGS", "OPT_FAST=-O2"),
    *("--x-assign", "fast", "--x-initial", "fast"),
    *("--unroll-count", "300", "--unroll-stmts", "100000"),
    *("-Wno-fatal", "-Wno-lint", "-Wno-style"),  # Ibex's warnings; ours are linted by tests/rtl
    "+define+SYNTHESIS",
    *("--top-module", "hrl_sim", "--prefix", "Vhrl_sim"),
)


def simulator(
    configuration: str,
    *,
    cells: int = 64,
    shared_lines: bool = False,
    vcd: bool = False,
    say: Callable[[str], None] = lambda text: None,
) -> Path:
    """The simulator of a board as an executable; its usage stands in rtl/sim/main.cpp.

    `shared_lines`: four cells share a request line. `vcd`: it can write waveforms, and is slower.
    `say` is called before one is built.
    HorologError (3) if Verilator or Ibex is not installed.
    """
    if configuration not in CONFIGURATIONS:
        raise HorologError(
            "the core has no such configuration",
            found=configuration,
            expected=" or ".join(CONFIGURATIONS),
        )
    if not _FEWEST_CELLS <= cells <= _MOST_CELLS:
        raise HorologError(
            "the board cannot have so many timer cells",
            found=str(cells),
            expected=f"{_FEWEST_CELLS} to {_MOST_CELLS}",
        )
    require("verilator", "g++", "make")
    ibex_folder()
    parameters = (
        f"-GMAXPERF={int(configuration == 'maxperf')}",
        f"-GCELLS={cells}",
        f"-GSHARED_LINES={int(shared_lines)}",
        *(("--trace", "-CFLAGS", "-DHRL_VCD") if vcd else ()),
    )
    built = cache_folder() / f"ibex-{configuration}-{_key(parameters)}"

    def make(folder: Path) -> None:
        say("building the simulator, once: about a minute")
        _build(parameters, folder / built.name)

    return made_once(
        built, make, waiting=lambda: say("waiting: another process is building the simulator")
    )


def ibex_folder() -> Path:
    """Where Ibex's sources lie. HorologError (3) if its package is not installed."""
    spec = importlib.util.find_spec("pythondata_cpu_ibex")
    if spec is None or spec.origin is None:
        raise NotInstalled(
            "Ibex's sources are not installed",
            expected=f"python -m pip install {IBEX}==0.0.post2937   (make setup-test does)",
        )
    return Path(spec.origin).parent / "system_verilog"


def ibex_version() -> str:
    """The version of Ibex's package; "absent" without it, "unpacked" if it was not installed as one."""
    try:
        return version(IBEX)
    except PackageNotFoundError:
        return _UNPACKED if importlib.util.find_spec("pythondata_cpu_ibex") else "absent"


def sources(ours: Path | None = None, ibex: Path | None = None) -> tuple[str, ...]:
    """Returns Verilator's arguments for the SystemVerilog, ours and Ibex's, in these folders if given.

    HorologError (3) if Ibex's are not installed.
    """
    ours, ibex = ours or data_root() / "rtl", ibex or ibex_folder()
    prim = ibex / _PRIM
    return (
        *("-y", str(ours), "-y", str(ours / "prim"), "-y", str(ibex / "rtl")),
        *("-y", str(prim), "-y", str(ibex / "vendor/lowrisc_ip/ip/prim_generic/rtl")),
        *(f"+incdir+{prim}", f"+incdir+{ibex / 'vendor/lowrisc_ip/dv/sv/dv_utils'}"),
        *(str(ibex / name) for name in _PACKAGES),
        str(ours / "sim" / "hrl_sim.sv"),
    )


def _key(parameters: tuple[str, ...]) -> str:
    """What the simulator is made from: sources, tools, Ibex's version, parameters."""
    digest = hashlib.sha256()
    root = data_root()
    ours = [p for s in ("*.sv", "*.cpp", "*.hpp") for p in (root / "rtl").rglob(s)]
    for source in sorted([*ours, *(root / "watch").glob("*.[ch]")]):
        digest.update(f"{source.relative_to(root)}\n".encode() + source.read_bytes())
    ibex = ibex_version()
    if ibex == _UNPACKED:
        ibex = str(ibex_folder())
    tools = [call([tool, "--version"], seconds=60).output for tool in ("verilator", "g++")]
    digest.update("\0".join([ibex, *tools, *_FLAGS, *parameters]).encode())
    return digest.hexdigest()[:16]


def _build(parameters: tuple[str, ...], built: Path) -> None:
    # The make that Verilator calls takes no spaces in paths: it sees everything by names without.
    with TemporaryDirectory(prefix="horolog-") as folder:
        ours, watch, ibex = (Path(folder) / name for name in ("rtl", "watch", "ibex"))
        ours.symlink_to(data_root() / "rtl")
        watch.symlink_to(data_root() / "watch")
        ibex.symlink_to(ibex_folder())
        command = [
            *("verilator", *_FLAGS, *parameters),
            *("--Mdir", str(Path(folder) / "work"), "-o", "horolog-ibex", "-CFLAGS", f"-I{folder}"),
            *(*sources(ours, ibex), *map(str, sorted((ours / "sim").glob("*.cpp")))),
            *map(str, sorted(watch.glob("*.c"))),
        ]
        done = call(command, seconds=_BUILD_SECONDS)
        if done.status == 0:
            copyfile(Path(folder) / "work" / "horolog-ibex", built)
            built.chmod(0o755)
            return
    raise NotInstalled(
        "the RTL board's simulator does not build",
        found=(done.output + done.errors).strip()[-3000:],
        expected="Verilator 5.006 and its C++ compiler, or later ones",
    )
