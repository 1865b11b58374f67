# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Set-up: the package list, what counts as present, and what happens with and without rights.

The installers are stand-ins in an otherwise empty PATH, so nothing is installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.tool.setup_scripts import load_script

ROOT = Path(__file__).resolve().parents[2]
SET_UP = ROOT / "setup" / "set_up.py"


set_up = load_script("set_up")


@dataclass(frozen=True)
class Machine:
    """A checkout's set-up on a machine that has only the programs a test puts there."""

    root: Path

    @property
    def log(self) -> Path:
        return self.root / "log"

    def has(self, name: str, script: str) -> None:
        program = self.root / "bin" / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >>"{self.log}"\n{script}\n')
        program.chmod(0o755)

    def needs(self, entries: str) -> None:
        (self.root / "setup" / "packages.toml").write_text(entries)

    def install(self, *, uid: int = 0) -> subprocess.CompletedProcess[str]:
        """Run the part of set-up that deals with system packages, as the user `uid`."""
        program = (
            "import importlib.util, os, pathlib, sys\n"
            f"os.geteuid = lambda: {uid}\n"
            f"spec = importlib.util.spec_from_file_location('set_up', {str(SET_UP)!r})\n"
            "m = importlib.util.module_from_spec(spec); sys.modules['set_up'] = m\n"
            "spec.loader.exec_module(m)\n"
            "packages = m.read_packages(pathlib.Path('setup/packages.toml'))\n"
            "m.install_packages(packages, False)\n"
        )
        return subprocess.run(
            [sys.executable, "-c", program],
            cwd=self.root,
            env={"PATH": str(self.root / "bin")},
            capture_output=True,
            text=True,
            check=False,
        )

    def called(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    for folder in ("bin", "setup"):
        (tmp_path / folder).mkdir()
    made = Machine(tmp_path)
    (tmp_path / "bin" / "sh").symlink_to("/bin/sh")
    (tmp_path / "bin" / "env").symlink_to("/usr/bin/env")
    made.needs('[[package]]\nname = "frob"\ngroup = "run"\ncommand = "frob"\npurpose = "frobs"\n')
    return made


def test_the_list_is_valid_and_all_groups_are_used() -> None:
    packages = set_up.read_packages(ROOT / "setup" / "packages.toml")
    names = [package.name for package in packages]
    assert len(names) == len(set(names))
    assert {package.group for package in packages} == {"run", "test", "pictures"}
    assert all(package.purpose for package in packages)


def test_this_machine_has_what_tests_need() -> None:
    packages = set_up.read_packages(ROOT / "setup" / "packages.toml")
    # python3-venv is shown by the Python that runs set-up, which need not be this one.
    needed = [p for p in packages if p.group in set_up.GROUPS["test"] and not p.modules]
    absent = [p.name for p in needed if not set_up.is_present(p)]
    assert absent == []


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ('name = "a"\ngroup = "run"\npurpose = "p"', "give one of command, file, modules"),
        ('name = "a"\ngroup = "no"\npurpose = "p"\ncommand = "a"', "group 'no' is not known"),
        ('name = "a"\ngroup = "run"\npurpose = "p"\ncommnd = "a"', "commnd"),
    ],
)
def test_a_wrong_entry_is_named(tmp_path: Path, entry: str, says: str) -> None:
    path = tmp_path / "packages.toml"
    path.write_text(f"[[package]]\n{entry}\n")
    with pytest.raises(ValueError, match=says):
        set_up.read_packages(path)


def test_presence_is_shown_by_command_file_or_modules(tmp_path: Path) -> None:
    (tmp_path / "lib-14.a").touch()
    common = {"name": "a", "group": "run", "purpose": "p"}
    present = [
        set_up.Package(**common, command="sh"),
        set_up.Package(**common, file=f"{tmp_path}/lib-*.a"),
        set_up.Package(**common, modules=("json", "venv")),
    ]
    absent = [
        set_up.Package(**common, command="no-such-command"),
        set_up.Package(**common, file=f"{tmp_path}/lib-*.so"),
        set_up.Package(**common, modules=("json", "no_such_module")),
    ]
    assert all(map(set_up.is_present, present))
    assert not any(map(set_up.is_present, absent))


def test_nothing_is_called_when_all_is_there(machine: Machine) -> None:
    machine.has("frob", "exit 0")
    machine.has("apt-get", "exit 1")
    result = machine.install()
    assert result.returncode == 0
    assert "all 1 present" in result.stdout
    assert machine.called() == []


def test_root_installs_what_is_missing_and_only_that(machine: Machine) -> None:
    machine.has(
        "apt-get",
        f'case "$*" in *install*) : >{machine.root}/bin/frob;'
        f" /bin/chmod +x {machine.root}/bin/frob;; esac",
    )
    machine.has("apt-cache", "exit 0")
    result = machine.install()
    assert result.returncode == 0, result.stderr
    assert "missing: frob (frobs)" in result.stdout
    update, show, install = machine.called()
    assert update.endswith("update")
    assert show == "apt-cache show frob"
    assert install.endswith("install -y --no-install-recommends frob")
    assert "DEBIAN_FRONTEND=noninteractive" in result.stdout


def test_another_name_is_taken_where_the_first_is_unknown(machine: Machine) -> None:
    machine.needs(
        '[[package]]\nname = "frob-14"\nother_names = ["frob-18"]\ngroup = "run"\n'
        'command = "frob"\npurpose = "frobs"\n'
    )
    machine.has("apt-get", "exit 0")
    machine.has("apt-cache", '[ "$2" = frob-18 ]')
    result = machine.install()
    assert machine.called()[-1].endswith(" frob-18")
    # The stand-in installed nothing, and that is noticed.
    assert result.returncode == 3
    assert "not found: frob-14" in result.stderr


def test_other_users_go_through_sudo(machine: Machine) -> None:
    machine.has("sudo", 'shift; exec "$@"')
    machine.has("true", "exit 0")
    machine.has(
        "apt-get",
        f'[ "$1" = x ] || : >{machine.root}/bin/frob; /bin/chmod +x {machine.root}/bin/frob',
    )
    machine.has("apt-cache", "exit 0")
    result = machine.install(uid=1000)
    assert result.returncode == 0, result.stderr
    asked = [line for line in machine.called() if line.startswith("sudo")]
    assert asked[0] == "sudo -n true"
    assert all(line.startswith("sudo -n ") for line in asked)
    assert len(asked) == 3


@pytest.mark.parametrize("sudo", ["none", "asks for a password"])
def test_without_rights_the_line_to_run_is_printed(machine: Machine, sudo: str) -> None:
    machine.has("apt-get", "exit 1")
    if sudo != "none":
        machine.has("sudo", "exit 1")
    result = machine.install(uid=1000)
    assert result.returncode == 3
    line = result.stderr.splitlines()[-1].strip()
    assert line == (
        "sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends frob'"
    )
    assert not any(call.startswith("apt-get") for call in machine.called())


def test_an_installer_that_fails_is_named(machine: Machine) -> None:
    machine.has("apt-get", "exit 100")
    result = machine.install()
    assert result.returncode == 1
    assert "apt-get" in result.stdout
    assert result.stderr.startswith("set-up: apt-get update failed with status 100")
    assert "network" in result.stderr


def test_a_dry_run_says_what_it_would_do() -> None:
    result = subprocess.run(
        [sys.executable, SET_UP, "run", "--dry-run"],
        env={**os.environ, "PATH": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "would run: apt-get update && apt-get install -y" in result.stdout
    assert "gcc-arm-none-eabi" in result.stdout
    assert "clang-tidy" not in result.stdout


def test_a_browser_is_installed_where_it_can_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests go on without it; npm is asked once, and again after another lock file or a failure."""
    (tmp_path / "tests" / "browser").mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        (tmp_path / "tests" / "browser" / name).write_text("{}")
    monkeypatch.setattr(set_up, "ROOT", tmp_path)
    locked = tmp_path / "build" / "browser" / "package-lock.json"
    asked: list[str] = []

    def npm(*command: str) -> bool:
        asked.append(command[0])
        return len(asked) > 1

    monkeypatch.setattr(set_up, "succeeds", npm)
    absent = set_up.Package(
        name="no-such-browser", group="pictures", purpose="p", command="no-such-browser"
    )
    monkeypatch.setattr(set_up, "install_packages", lambda packages, _: set_up.stop(3, "no"))
    set_up.install_browser([absent], False)
    assert "goes on without a browser" in capsys.readouterr().out
    assert not locked.exists()
    monkeypatch.setattr(set_up, "install_packages", lambda packages, _: None)
    set_up.install_browser([absent], False)
    assert "tests will say what was not looked at" in capsys.readouterr().out
    assert not locked.exists()
    for _ in range(2):
        set_up.install_browser([absent], False)
        assert locked.exists()
    assert asked == ["npm", "npm"]
    (tmp_path / "tests" / "browser" / "package-lock.json").write_text("{ }")
    set_up.install_browser([absent], False)
    assert asked == ["npm", "npm", "npm"]
