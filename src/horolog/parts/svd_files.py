# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Where SVD files come from: the user, pyOCD's package, crates. They are read, never copied."""

from __future__ import annotations

import os
import shutil
import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

from horolog.model import HorologError, NotInstalled, Place
from horolog.parts.svd import Device, read_svd
from horolog.programs import call

__all__ = ["svd_of_crate", "svd_of_pyocd", "svd_of_user"]

_PYOCD_DATA = "debug/svd/svd_data.zip"  # in pyOCD's package
_FETCH_SECONDS = 300


def svd_of_user(path: Path) -> Device:
    """The chip of the file that the user names."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise HorologError(
            "the SVD file cannot be read",
            place=Place(str(path)),
            found=error.strerror or str(error),
            expected="--svd FILE, a file that you may read",
        ) from None
    return read_svd(content, str(path))


def svd_of_pyocd(part: str, name: str) -> Device:
    """The chip of pyOCD's file `name`, which is needed for `part`."""
    instead = (
        f"`horolog board new --svd FILE` with an SVD file of {part}, such as that of Nordic's nrfx"
    )
    spec = find_spec("pyocd")
    if spec is None or not spec.submodule_search_locations:
        raise NotInstalled(
            f"the data of {part} are those of pyOCD's package, which is not installed here",
            found="no Python package pyocd",
            expected=f"`pip install pyocd` into the Python that runs horolog, or {instead}",
        )
    archive = Path(spec.submodule_search_locations[0]) / _PYOCD_DATA
    named = f"{name}.svd"
    try:
        with zipfile.ZipFile(archive) as files:
            content = files.read(named)
    except KeyError:
        there = f"no {named} in it"
    except (OSError, zipfile.BadZipFile) as error:
        there = str(error)
    else:
        return read_svd(content, f"{archive}/{named}")
    raise HorologError(
        f"pyOCD's package has no data of {part}",
        place=Place(str(archive)),
        found=there,
        expected=f"pyOCD 0.36 or newer, or {instead}",
    )


def svd_of_crate(part: str, crate: str, version: str, path: str) -> Device:
    """The chip of the file `path` in a crate, which cargo fetches if it is not among its sources yet."""
    file = _in_registry(crate, version, path)
    if file is None:
        _fetch(part, crate, version)
        file = _in_registry(crate, version, path)
    if file is None:
        raise HorologError(
            f"the crate {crate} {version} has no {path}",
            found="no such file among cargo's sources",
            expected=f"`horolog board new --svd FILE` with an SVD file of {part}",
        )
    return svd_of_user(file)


def _in_registry(crate: str, version: str, path: str) -> Path | None:
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo").absolute()
    files = sorted(home.glob(f"registry/src/*/{crate}-{version}/{path}"))
    return files[0] if files else None


def _fetch(part: str, crate: str, version: str) -> None:
    """By a package that needs the crate and nothing else."""
    instead = f"`horolog board new --svd FILE` with an SVD file of {part}, as in that crate"
    if shutil.which("cargo") is None:
        raise NotInstalled(
            f"the data of {part} are those of the crate {crate}, which cargo fetches; it is not installed",
            found="no cargo on PATH",
            expected=f"cargo, or {instead}",
        )
    with tempfile.TemporaryDirectory(prefix="horolog-") as folder:
        package = Path(folder)
        (package / "Cargo.toml").write_text(
            '[package]\nname = "wanted"\nversion = "0.1.0"\nedition = "2021"\n'
            f'[lib]\npath = "lib.rs"\n[dependencies]\n{crate} = "={version}"\n',
            encoding="utf-8",
        )
        (package / "lib.rs").touch()
        manifest = str(package / "Cargo.toml")
        command = ["cargo", "fetch", "--quiet", "--manifest-path", manifest]
        done = call(command, seconds=_FETCH_SECONDS)
    if done.status != 0:
        nothing = f"nothing in {_FETCH_SECONDS} s" if done.status is None else "no word of cargo's"
        raise NotInstalled(
            f"the data of {part} are those of the crate {crate} {version}, which cargo cannot fetch",
            found=done.errors.strip()[-500:] or nothing,
            expected=f"a way to crates.io for the first time, or {instead}",
        )
