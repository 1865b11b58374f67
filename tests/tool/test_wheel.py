# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The installed package: complete, and able to work in an empty folder, away from any checkout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from horolog import __version__
from horolog.build.freertos import freertos_source

ROOT = Path(__file__).resolve().parents[2]
DATA = "horolog/_data/"

pytestmark = [pytest.mark.xdist_group("wheel")]


def run(
    *command: str | Path, folder: Path, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run to the end, output kept; the environment has no trace of this checkout's."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(
        command,
        cwd=folder,
        env={**environment, **(variables or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def tracked(*folders: str) -> set[str]:
    """The repository's files below `folders`, as git knows them."""
    listed = run("git", "ls-files", "-z", *folders, folder=ROOT)
    assert listed.returncode == 0, listed.stderr
    return {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tracked files alone, so that nothing that lies about in the work tree gets in."""
    copy = tmp_path_factory.mktemp("source")
    for name in tracked():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as a wheel."""
    return build_wheel(source, tmp_path_factory.mktemp("wheel"))


def build_wheel(source: Path, into: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    built = run(*pip, "--wheel-dir", into, source, folder=into)
    assert built.returncode == 0, built.stderr
    (found,) = into.glob("*.whl")
    return found


def test_the_wheel_holds_all_that_the_tool_reads(wheel: Path) -> None:
    assert wheel.name == f"horolog-{__version__}-py3-none-any.whl"
    folders = [
        "baselines",
        "bench/queues",
        "boards",
        "cmake",
        "examples",
        "include",
        "kernel",
        "plugin",
        "ports",
        "rp2040",
        "rtl",
        "simavr",
        "stm32",
        "systems",
        "watch",
    ]
    expected = {DATA + name for name in tracked(*folders, "schema", "setup/packages.toml")}
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name for name in names if name.startswith(DATA)} == expected
    assert {name.removeprefix("src/") for name in tracked("src/horolog")} <= names
    assert any(name.endswith(".j2") for name in names), "no templates"
    for licence in ("GPL-2.0-or-later", "GPL-3.0-or-later"):
        assert any(name.endswith(f"licenses/LICENSES/{licence}.txt") for name in names)


def test_the_wheel_is_without_experiments(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if "experiments" in name] == []
    assert [name for name in names if name.startswith(DATA + "bench/")] != []
    assert [name for name in names if name.startswith(DATA + "bench/kernel")] == []


def test_two_builds_give_the_same_wheel(source: Path, wheel: Path, tmp_path: Path) -> None:
    assert build_wheel(source, tmp_path).read_bytes() == wheel.read_bytes()


@pytest.fixture(scope="module")
def installed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that had nothing in it but `pip install .`."""
    environment = tmp_path_factory.mktemp("installed") / "venv"
    made = run(sys.executable, "-m", "venv", environment, folder=source)
    assert made.returncode == 0, made.stdout + made.stderr
    # The versions that are tested, but not the hashes: those are for files, and "." is a folder.
    lines = (ROOT / "setup" / "requirements-run.txt").read_text().splitlines()
    constraints = environment / "constraints.txt"
    constraints.write_text("".join(f"{ln.rstrip(chr(92))}\n" for ln in lines if "==" in ln))
    python = environment / "bin" / "python"
    # It is used once: to compile all of it would take longer than to compile what is imported.
    install = ("-m", "pip", "install", "--quiet", "--no-compile", ".")
    done = run(python, *install, folder=source, variables={"PIP_CONSTRAINT": str(constraints)})
    assert done.returncode == 0, done.stderr
    return environment / "bin"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    return tmp_path


def complain(result: subprocess.CompletedProcess[str]) -> str:
    return f"{result.args}: {result.returncode}\n{result.stdout}\n{result.stderr}"


@pytest.mark.network
@pytest.mark.slow
def test_it_is_small_without_the_extra_of_plans(installed: Path) -> None:
    (packages,) = installed.parent.glob("lib/python3.*/site-packages")
    of_venv = ("pip", "setuptools", "_distutils_hack", "pkg_resources")
    files = [
        path
        for path in packages.rglob("*")
        if path.is_file() and not path.relative_to(packages).parts[0].startswith(of_venv)
    ]
    assert not (packages / "ortools").exists()
    assert sum(path.stat().st_size for path in files) < 40_000_000


@pytest.mark.network
@pytest.mark.slow
def test_the_installed_tool_says_what_it_is(installed: Path, elsewhere: Path) -> None:
    result = run(installed / "horolog", "--version", folder=elsewhere)
    assert result.returncode == 0, complain(result)
    assert __version__ in result.stdout
    where = run(
        installed / "python",
        "-c",
        "import horolog.data; print(horolog.data.data_root())",
        folder=elsewhere,
    )
    assert where.stdout.strip().startswith(str(installed.parent))


@pytest.mark.network
@pytest.mark.slow
def test_the_installed_tool_says_what_bench_needs(installed: Path, elsewhere: Path) -> None:
    result = run(installed / "horolog", "bench", "costs", folder=elsewhere)
    assert result.returncode == 3, complain(result)
    assert "needs the package horolog-experiments" in result.stderr
    assert "make setup-test" in result.stderr
    calibrate = run(installed / "horolog", "calibrate", "nowhere", folder=elsewhere)
    assert calibrate.returncode == 2, complain(calibrate)


@pytest.mark.network
@pytest.mark.slow
@pytest.mark.emulator
def test_new_build_and_compare_work_away_from_the_checkout(
    installed: Path, elsewhere: Path
) -> None:
    horolog = installed / "horolog"
    for step in (["new", "mine"], ["build", "mine/system.toml"]):
        result = run(horolog, *step, folder=elsewhere)
        assert result.returncode == 0, complain(result)

    result = run(horolog, "compare", "mine/system.toml", folder=elsewhere)
    assert result.returncode == 0, complain(result)
    (found,) = (elsewhere / "build").glob("*/result.json")
    measured = json.loads(found.read_text())
    assert measured["horolog"]["jobs"] > 0
    assert measured["horolog"]["deadline_misses"] == 0
    if freertos_source() is not None:
        assert measured["freertos"]["jobs"] == measured["horolog"]["jobs"]
    assert (found.parent / "report.html").is_file()
    written = {path.name for path in elsewhere.iterdir()}
    assert written == {"build", "mine"}, "something was written beside the outputs"


@pytest.mark.network
@pytest.mark.slow
@pytest.mark.emulator
def test_a_cmake_project_finds_the_installed_package(installed: Path, elsewhere: Path) -> None:
    """By PATH alone: the C++ example, from an empty folder to what it prints."""
    path = os.pathsep.join([str(installed), os.environ["PATH"]])
    shutil.copytree(ROOT / "examples" / "cmake", elsewhere / "mine")
    for step in (
        ["cmake", "-S", "mine", "-B", "out", "-G", "Ninja"],
        ["cmake", "--build", "out"],
    ):
        result = run(*step, folder=elsewhere, variables={"PATH": path})
        assert result.returncode == 0, complain(result)
    where = (elsewhere / "out" / "CMakeCache.txt").read_text()
    assert f"horolog_DIR:PATH={installed.parent}/share/cmake/horolog\n" in where
    machine = ["qemu-system-arm", "-M", "mps2-an385", "-nographic", "-semihosting"]
    image = ["-icount", "shift=5,sleep=off", "-kernel", "out/tank.elf"]
    result = run(*machine, *image, folder=elsewhere)
    assert result.returncode == 0, complain(result)
    printed = (result.stdout + result.stderr).split("\n")
    assert printed[0].strip() == "1 ms: 100 mm"
    assert printed[-2].strip() == "1001 ms: 500 mm"
