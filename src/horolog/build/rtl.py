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
from horolog.programs import call, require, version_text

__all__ = ["CONFIGURATIONS", "CORES", "IBEX", "ibex_folder", "ibex_version", "simulator", "sources"]

IBEX = "pythondata-cpu-ibex"
"""The package that Ibex's sources come from."""
CONFIGURATIONS = ("small", "maxperf")
"""How the core is configured: its defaults; all of its options that save cycles."""
CORES = (1, 2, 4, 8)
"""How many cores a board can have."""

_UNPACKED = "unpacked"
_MOST_CELLS, _FEWEST_CELLS = 256, 16
_BUILD_SECONDS = 1200  # for each core; a build takes 15 s; a busy machine takes its time
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
)


def simulator(
    configuration: str,
    *,
    cores: int = 1,
    cells: int = 64,
    shared_lines: bool = False,
    shared_ports: bool = False,
    vcd: bool = False,
    say: Callable[[str], None] = lambda text: None,
) -> Path:
    """The simulator of a board as an executable; its usage stands in rtl/sim/main.cpp.

    With several `cores` it stands in rtl/cores/sim/main.cpp.
    `shared_lines`, of one core: four cells share a request line. `shared_ports`, of several: the shared
    memory has a port for each. `vcd`: it can write waveforms, and is slower.
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
    if cores not in CORES:
        raise HorologError(
            "the board cannot have so many cores",
            found=str(cores),
            expected=" or ".join(map(str, CORES)),
        )
    if shared_lines and cores > 1:
        raise HorologError("cells share no request lines on a board of several cores")
    require("verilator", "g++", "make")
    ibex_folder()
    parameters = (
        f"-GMAXPERF={int(configuration == 'maxperf')}",
        f"-GCELLS={cells}",
        *(_of_cores(cores, cells, shared_ports) if cores > 1 else _of_one_core(shared_lines)),
        *(("--trace", "-CFLAGS", "-DHRL_VCD") if vcd else ()),
    )
    several = cores > 1
    name = f"{configuration}-x{cores}" if several else configuration
    built = cache_folder() / f"ibex-{name}-{_key(parameters, several=several)}"

    def make(folder: Path) -> None:
        say("building the simulator, once: about a minute")
        _build(parameters, folder / built.name, cores)

    return made_once(
        built, make, waiting=lambda: say("waiting: another process is building the simulator")
    )


def _of_one_core(shared_lines: bool) -> tuple[str, ...]:
    return (f"-GSHARED_LINES={int(shared_lines)}", "--prefix", "Vhrl_sim")


def _of_cores(cores: int, cells: int, shared_ports: bool) -> tuple[str, ...]:
    return (
        *(f"-GCORES={cores}", f"-GSHARED_PORTS={int(shared_ports)}"),
        *("-CFLAGS", f"-DHRL_CORES={cores}", "-CFLAGS", f"-DHRL_CELLS={cells}"),
        *("--prefix", "Vhrl_cores_sim"),
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


def sources(
    ours: Path | None = None, ibex: Path | None = None, *, several: bool = False
) -> tuple[str, ...]:
    """Returns Verilator's arguments for the SystemVerilog, ours and Ibex's, in these folders if given.

    Their top is the board of one core, or that of `several`. HorologError (3) if Ibex's are not installed.
    """
    ours, ibex = ours or data_root() / "rtl", ibex or ibex_folder()
    prim = ibex / _PRIM
    top = ours / ("cores/sim/hrl_cores_sim.sv" if several else "sim/hrl_sim.sv")
    return (
        *(("-y", str(ours / "cores"), "+define+HRL_DOORBELLS") if several else ()),
        *("-y", str(ours), "-y", str(ours / "prim"), "-y", str(ibex / "rtl")),
        *("-y", str(prim), "-y", str(ibex / "vendor/lowrisc_ip/ip/prim_generic/rtl")),
        *(f"+incdir+{prim}", f"+incdir+{ibex / 'vendor/lowrisc_ip/dv/sv/dv_utils'}"),
        *(str(ibex / name) for name in _PACKAGES),
        *("--top-module", top.stem, str(top)),
    )


def _folders(several: bool) -> tuple[str, ...]:
    """Those of rtl/ with our sources."""
    return (".", "prim", "sim", *(("cores", "cores/sim") if several else ()))


def _programs(ours: Path, several: bool) -> list[Path]:
    """The simulator's own C++: the board of several cores has a main program of its own."""
    of_one = sorted((ours / "sim").glob("*.cpp"))
    if not several:
        return of_one
    of_cores = sorted((ours / "cores" / "sim").glob("*.cpp"))
    return [*(path for path in of_one if path.name != "main.cpp"), *of_cores]


def _key(parameters: tuple[str, ...], *, several: bool) -> str:
    """What the simulator is made from: sources, tools, Ibex's version, parameters."""
    digest = hashlib.sha256()
    root = data_root()
    endings = ("*.sv", "*.cpp", "*.hpp")
    ours = [p for f in _folders(several) for e in endings for p in (root / "rtl" / f).glob(e)]
    for source in sorted([*ours, *(root / "watch").glob("*.[ch]")]):
        digest.update(f"{source.relative_to(root)}\n".encode() + source.read_bytes())
    ibex = ibex_version()
    if ibex == _UNPACKED:
        ibex = str(ibex_folder())
    tools = [version_text(tool) for tool in ("verilator", "g++")]
    digest.update("\0".join([ibex, *tools, *_FLAGS, *parameters]).encode())
    return digest.hexdigest()[:16]


def _build(parameters: tuple[str, ...], built: Path, cores: int) -> None:
    several = cores > 1
    # The make that Verilator calls takes no spaces in paths: it sees everything by names without.
    with TemporaryDirectory(prefix="horolog-") as folder:
        ours, watch, ibex = (Path(folder) / name for name in ("rtl", "watch", "ibex"))
        ours.symlink_to(data_root() / "rtl")
        watch.symlink_to(data_root() / "watch")
        ibex.symlink_to(ibex_folder())
        command = [
            *("verilator", *_FLAGS, *parameters),
            *("--Mdir", str(Path(folder) / "work"), "-o", "horolog-ibex", "-CFLAGS", f"-I{folder}"),
            *(*sources(ours, ibex, several=several), *map(str, _programs(ours, several))),
            *map(str, sorted(watch.glob("*.c"))),
        ]
        done = call(command, seconds=_BUILD_SECONDS * cores)
        if done.status == 0:
            copyfile(Path(folder) / "work" / "horolog-ibex", built)
            built.chmod(0o755)
            return
    raise NotInstalled(
        "the RTL board's simulator does not build",
        found=(done.output + done.errors).strip()[-3000:],
        expected="Verilator 5.006 and its C++ compiler, or later ones",
    )
