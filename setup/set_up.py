#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Set up this checkout: Debian packages, the Python environment .venv, FreeRTOS's sources, rp2040js.

    python3 setup/set_up.py run|test [--dry-run]

Installs what is missing and nothing else, and says what it does. It needs Python 3.11 and its
standard library only, because on a fresh machine there is nothing more.

Exit codes: 0 all is there; 3 something is missing and cannot be installed from here (the line to
run is printed); 1 an installer failed.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

__all__ = ["GROUPS", "Package", "is_present", "lock_stamp", "main", "read_packages"]

ROOT = Path(__file__).resolve().parents[1]
GROUPS = {"run": ("run",), "test": ("run", "test")}
"""The package groups that each kind of set-up needs; for tests it installs "pictures" where it can."""
LOCKS = {
    "run": ("requirements-run.txt",),
    "test": ("requirements-source.txt", "requirements-dev.txt"),
}
"""The lock files that are installed into .venv, one after the other: first what builds packages
that come as source only, as nothing that is not locked shall be fetched to build them."""
OURS = (".", "experiments")
"""The folders of this checkout's own packages: the tool, and the experiments, which bring `horolog bench`."""
OLDEST_PYTHON = (3, 11)
FAILED = 1
NOT_INSTALLED = 3


@dataclass(frozen=True, slots=True)
class Package:
    """An operating-system package and what shows that it is present (one of the last three)."""

    name: str
    group: str
    purpose: str
    other_names: tuple[str, ...] = ()
    command: str | None = None
    file: str | None = None
    modules: tuple[str, ...] = ()


def read_packages(path: Path) -> tuple[Package, ...]:
    """The packages that `path` lists. ValueError names the entry that is wrong."""
    with path.open("rb") as source:
        entries = tomllib.load(source)["package"]
    packages = []
    for entry in entries:
        known = {**entry}
        for key in ("other_names", "modules"):
            known[key] = tuple(known.get(key, ()))
        try:
            package = Package(**known)
        except TypeError as error:
            raise ValueError(f"{path}: {entry.get('name', 'an entry')}: {error}") from None
        if sum(map(bool, (package.command, package.file, package.modules))) != 1:
            raise ValueError(f"{path}: {package.name}: give one of command, file, modules")
        if package.group not in (*GROUPS["test"], "pictures"):
            raise ValueError(f"{path}: {package.name}: group {package.group!r} is not known")
        packages.append(package)
    return tuple(packages)


def is_present(package: Package) -> bool:
    """Whether the machine has what `package` brings, from whatever source."""
    if package.command:
        return shutil.which(package.command) is not None
    if package.file:
        anchor = Path(package.file).anchor
        return any(Path(anchor).glob(package.file.removeprefix(anchor)))
    return all(importlib.util.find_spec(module) is not None for module in package.modules)


def lock_stamp(kind: str) -> str:
    """What .venv is made from: changes with the lock files, the package's metadata and Python."""
    digest = hashlib.sha256()
    projects = (f"{folder}/pyproject.toml" for folder in OURS)
    for name in (*(f"setup/{lock}" for lock in LOCKS[kind]), *projects):
        digest.update((ROOT / name).read_bytes())
    digest.update(f"{sys.version_info[:3]} {ROOT}".encode())
    return digest.hexdigest()


def say(text: str) -> None:
    """Tell the user what happens, in order with what the installers print."""
    print(f"set-up: {text}", flush=True)


def stop(status: int, text: str) -> NoReturn:
    """End with `status` after telling why."""
    print(f"set-up: {text}", file=sys.stderr, flush=True)
    raise SystemExit(status)


def run(command: Sequence[str | Path], doing: str, *, env: dict[str, str] | None = None) -> None:
    """Run an installer, which is `doing` something; its failure is the end."""
    say("$ " + shlex.join(map(str, command)))
    result = subprocess.run(command, env=env, cwd=ROOT, stdin=subprocess.DEVNULL, check=False)
    if result.returncode != 0:
        stop(
            FAILED,
            f"{doing} failed with status {result.returncode}; what it said stands above. "
            "Without a network, repeat when there is one",
        )


def succeeds(*command: str) -> bool:
    """Whether `command` exists and exits with 0; its output is dropped."""
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def privilege() -> list[str] | None:
    """What to write before a command that needs root; None if there is no way to become root."""
    if os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if succeeds("sudo", "-n", "true") else None


def available_names(packages: Sequence[Package]) -> Iterator[str]:
    """The name under which apt knows each package, after an update of its lists."""
    for package in packages:
        candidates = (package.name, *package.other_names)
        known = (name for name in candidates if succeeds("apt-cache", "show", name))
        yield next(known, package.name)


def install_packages(packages: Sequence[Package], dry_run: bool) -> None:
    """Install the missing ones of `packages` by apt-get."""
    missing = [package for package in packages if not is_present(package)]
    if not missing:
        say(f"system packages: all {len(packages)} present")
        return
    for package in missing:
        say(f"missing: {package.name} ({package.purpose})")
    names = [package.name for package in missing]
    by_hand = f"apt-get update && apt-get install -y --no-install-recommends {' '.join(names)}"
    if dry_run:
        say(f"would run: {by_hand}")
        return
    if shutil.which("apt-get") is None:
        stop(NOT_INSTALLED, f"no apt-get here; install what these bring: {' '.join(names)}")
    prefix = privilege()
    if prefix is None:
        stop(NOT_INSTALLED, f"no rights to install; run this once:\n  sudo sh -c '{by_hand}'")

    # `env` because sudo drops the environment.
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]
    wait = ["-o", "DPkg::Lock::Timeout=300"]
    run([*apt, *wait, "update"], "apt-get update")
    found = list(available_names(missing))
    wait += ["-o", "Dpkg::Use-Pty=0"]
    run([*apt, *wait, "install", "-y", "--no-install-recommends", *found], "apt-get install")
    importlib.invalidate_caches()
    still = [package.name for package in missing if not is_present(package)]
    if still:
        stop(NOT_INSTALLED, f"installed, but what they bring is not found: {' '.join(still)}")


def install_python(kind: str, dry_run: bool) -> None:
    """Make .venv match the lock file of `kind`; a richer environment made for tests is kept."""
    venv = ROOT / ".venv"
    stamps = {name: lock_stamp(name) for name in LOCKS}
    accepted = {stamps["test"]} if kind == "test" else set(stamps.values())
    stamp = venv / "horolog-lock"
    tool = venv / "bin" / "horolog"
    if tool.exists() and stamp.exists() and stamp.read_text().strip() in accepted:
        say("Python packages: .venv matches its lock file")
        return
    if dry_run:
        say(f"would make .venv from setup/{LOCKS[kind][-1]}")
        return
    say(f"Python packages: .venv from setup/{LOCKS[kind][-1]}")
    python = venv / "bin" / "python"
    version = f"import sys; sys.exit(sys.version_info[:3] != {tuple(sys.version_info[:3])})"
    if not succeeds(str(python), "-c", version) or not succeeds(str(python), "-m", "pip", "-V"):
        run([sys.executable, "-m", "venv", "--clear", venv], "making .venv")
    stamp.unlink(missing_ok=True)
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    # What is imported is compiled then, a tenth of what would be compiled here.
    pip: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--no-compile"]
    for lock in LOCKS[kind]:
        locked: list[str | Path] = [
            "--require-hashes",
            "--no-build-isolation",
            "-r",
            ROOT / "setup" / lock,
        ]
        run([*pip, *locked], f"pip with setup/{lock}", env=environment)
    own: list[str | Path] = ["--no-deps", "--no-build-isolation"]
    for folder in OURS:
        own += ["--editable", ROOT / folder]
    run([*pip, *own], "pip with Horolog itself", env=environment)
    stamp.write_text(stamps[kind] + "\n")


def fetch_freertos(dry_run: bool) -> None:
    """Get FreeRTOS-Kernel if that is possible; without it all but the comparison works."""
    if dry_run:
        say("would fetch FreeRTOS-Kernel if it is not in the cache")
        return
    script = ROOT / "baselines" / "freertos" / "fetch.sh"
    command: list[str | Path] = ["sh", script, "--optional"]
    null = subprocess.DEVNULL
    subprocess.run(
        command, stdin=null, stdout=null, check=False
    )  # the path; its words go to stderr


def fetch_rp2040js(dry_run: bool) -> None:
    """Get what simulates the board pico if that is possible; without it all but that board works."""
    if dry_run:
        say("would fetch rp2040js if it is not in the cache")
        return
    command: list[str | Path] = ["sh", ROOT / "rp2040" / "fetch.sh", "--optional"]
    null = subprocess.DEVNULL
    subprocess.run(command, stdin=null, stdout=null, check=False)


def install_browser(packages: Sequence[Package], dry_run: bool) -> None:
    """Get what looks at the report if that is possible; without it tests say what was not looked at."""
    browser = [package for package in packages if package.group == "pictures"]
    try:
        install_packages(browser, dry_run)
    except SystemExit:
        say("goes on without a browser: tests will say what was not looked at")
        return
    ours, made = ROOT / "tests" / "browser", ROOT / "build" / "browser"
    lock = (ours / "package-lock.json").read_bytes()
    if (made / "package-lock.json").exists() and (made / "package-lock.json").read_bytes() == lock:
        return
    if dry_run:
        say("would fetch Playwright and axe-core by npm ci")
        return
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    (made / "package.json").write_bytes((ours / "package.json").read_bytes())
    locked = made / "package-lock.json"
    locked.write_bytes(lock)
    npm = ["npm", "ci", "--prefix", str(made), "--ignore-scripts", "--no-audit", "--no-fund"]
    say("$ " + shlex.join(npm))
    if not succeeds(*npm):
        locked.unlink()  # which says that all is there
        say("npm could not fetch Playwright and axe-core: tests will say what was not looked at")


def main(arguments: Sequence[str]) -> int:
    """Entry point; returns the exit status."""
    parser = argparse.ArgumentParser(description="Set up this checkout of Horolog.")
    parser.add_argument("kind", choices=sorted(GROUPS), help="for which of make's targets")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    packages = read_packages(ROOT / "setup" / "packages.toml")
    wanted = [package for package in packages if package.group in GROUPS[options.kind]]
    install_packages(wanted, options.dry_run)
    if options.kind == "test":
        install_browser(packages, options.dry_run)
    install_python("test" if options.kind == "test" else "run", options.dry_run)
    fetch_freertos(options.dry_run)
    fetch_rp2040js(options.dry_run)
    say(f"done in {time.monotonic() - began:.1f} s")
    return 0


if __name__ == "__main__":
    if sys.version_info < OLDEST_PYTHON:
        stop(NOT_INSTALLED, "Python 3.11 or newer is needed; make PYTHON=python3.12 names another")
    raise SystemExit(main(sys.argv[1:]))
