# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""baselines/freertos/fetch.sh, with a stand-in for cargo: nothing is fetched."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FREERTOS = ROOT / "baselines" / "freertos"
FILES = {
    "tasks.c": "",
    "list.c": "",
    "include/task.h": '#define tskKERNEL_VERSION_NUMBER                      "V11.2.0"\r\n',
}
"""What the crate of the stand-in carries; the script's list of hashes is of these files."""

CARGO = """#!/bin/sh
echo "$*" >>"{root}/log"
if [ "$1" = --version ]; then echo "cargo {cargo} (0000 2026-01-01)"; exit 0; fi
[ -f Cargo.lock ] || exit 9
sleep {seconds}
for last; do :; done
kernel=$last/freertos-next/FreeRTOS-Kernel
mkdir -p "$kernel/include"
touch "$kernel/tasks.c" "$kernel/list.c"
printf '#define tskKERNEL_VERSION_NUMBER                      "{kernel}"\\r\\n' >"$kernel/include/task.h"
"""


@dataclass(frozen=True)
class Cargo:
    """A PATH with a cargo of some version whose crate carries some kernel, and a cache."""

    root: Path

    @property
    def kernel(self) -> Path:
        return self.root / "cache" / "horolog" / "freertos-v11.2.0" / "FreeRTOS-Kernel"

    @property
    def script(self) -> Path:
        return self.root / "freertos" / "fetch.sh"

    def install(self, cargo: str = "1.85.0", kernel: str = "V11.2.0", seconds: float = 0) -> None:
        program = self.root / "bin" / "cargo"
        text = CARGO.replace("{root}", str(self.root)).replace("{cargo}", cargo)
        program.write_text(text.replace("{kernel}", kernel).replace("{seconds}", str(seconds)))
        program.chmod(0o755)

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        environment = {
            "PATH": f"{self.root}/bin:/usr/bin:/bin",
            "XDG_CACHE_HOME": str(self.root / "cache"),
            **variables,
        }
        return subprocess.Popen(
            ["/bin/sh", self.script, *arguments],
            env={name: value for name, value in environment.items() if value},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def fetch(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        running = self.start(*arguments, **variables)
        out, err = running.communicate()
        return subprocess.CompletedProcess(running.args, running.returncode, out, err)

    def calls(self) -> list[str]:
        log = self.root / "log"
        return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def cargo(tmp_path: Path) -> Cargo:
    (tmp_path / "bin").mkdir()
    shutil.copytree(FREERTOS / "fetch", tmp_path / "freertos" / "fetch")
    shutil.copy(FREERTOS / "fetch.sh", tmp_path / "freertos")
    hashes = [
        f"{hashlib.sha256(text.encode()).hexdigest()}  {name}\n" for name, text in FILES.items()
    ]
    (tmp_path / "freertos" / "fetch" / "files.sha256").write_text("".join(hashes))
    return Cargo(tmp_path)


def test_the_sources_are_vendored_once_and_alone(cargo: Cargo) -> None:
    cargo.install()
    first = cargo.fetch()
    assert first.returncode == 0, first.stderr
    assert first.stdout.strip() == str(cargo.kernel)
    assert (cargo.kernel / "tasks.c").is_file()
    assert [entry.name for entry in cargo.kernel.parent.iterdir()] == ["FreeRTOS-Kernel"]
    assert any(call.startswith("vendor --locked") for call in cargo.calls())

    before = cargo.calls()
    second = cargo.fetch()
    assert second.returncode == 0
    assert second.stdout == first.stdout
    assert cargo.calls() == before


@pytest.mark.parametrize(
    ("version", "says"), [("1.65.0", "too old"), ("1.84.1", "too old"), (None, "not installed")]
)
def test_without_a_new_enough_cargo_it_says_how(
    cargo: Cargo, version: str | None, says: str
) -> None:
    if version:
        cargo.install(version)
    elif any(Path(folder, "cargo").exists() for folder in ("/usr/bin", "/bin")):
        pytest.skip("this machine has a cargo in /usr/bin")
    result = cargo.fetch()
    assert result.returncode == 3
    assert says in result.stderr
    assert "FREERTOS_KERNEL=/path" in result.stderr
    assert not cargo.kernel.exists()
    assert cargo.fetch("--optional").returncode == 0


def test_another_version_is_refused(cargo: Cargo) -> None:
    cargo.install(kernel="V11.3.0")
    result = cargo.fetch()
    assert result.returncode == 3
    assert "carries 'V11.3.0', not V11.2.0" in result.stderr
    assert not cargo.kernel.exists()
    assert list(cargo.kernel.parent.iterdir()) == []


def test_a_file_that_differs_is_fetched_again(cargo: Cargo) -> None:
    """The version in a header says nothing about the other files."""
    cargo.install()
    assert cargo.fetch().returncode == 0
    (cargo.kernel / "tasks.c").write_text("int changed;\n")
    again = cargo.fetch()
    assert again.returncode == 0, again.stderr
    assert "tasks.c" in again.stderr
    assert (cargo.kernel / "tasks.c").read_text() == ""
    assert [entry.name for entry in cargo.kernel.parent.iterdir()] == ["FreeRTOS-Kernel"]
    assert sum(call.startswith("vendor") for call in cargo.calls()) == 2


def test_other_files_under_the_same_version_are_refused(cargo: Cargo) -> None:
    cargo.install()
    sums = cargo.root / "freertos" / "fetch" / "files.sha256"
    sums.write_text(sums.read_text().replace("  list.c", "  queue.c"))
    result = cargo.fetch()
    assert result.returncode == 3
    assert "queue.c" in result.stderr
    assert not cargo.kernel.exists()


def test_processes_that_fetch_at_the_same_time_fetch_once(cargo: Cargo) -> None:
    cargo.install(seconds=0.5)
    running = [cargo.start() for _ in range(6)]
    said = [one.communicate() for one in running]
    assert [one.returncode for one in running] == [0] * 6, said
    assert {out.strip() for out, _ in said} == {str(cargo.kernel)}
    assert sum(call.startswith("vendor") for call in cargo.calls()) == 1
    assert any("waiting" in err for _, err in said)
    assert {entry.name for entry in cargo.kernel.iterdir()} == {"tasks.c", "list.c", "include"}


def test_a_cache_that_cannot_be_written_is_no_end_of_set_up(cargo: Cargo) -> None:
    cargo.install()
    (cargo.root / "cache").write_text("a file")
    result = cargo.fetch()
    assert result.returncode == 3
    assert f"cannot write {cargo.root / 'cache'}" in result.stderr
    assert "XDG_CACHE_HOME" in result.stderr
    assert cargo.fetch("--optional").returncode == 0


def test_without_a_cache_folder_in_the_environment_it_lies_below_home(cargo: Cargo) -> None:
    cargo.install()
    home = cargo.root / "home"
    for named in ("", "not/absolute"):
        result = cargo.fetch(XDG_CACHE_HOME=named, HOME=str(home))
        assert result.returncode == 0, result.stderr
        assert Path(result.stdout.strip()).is_relative_to(home / ".cache" / "horolog")
    lost = cargo.fetch("--optional", XDG_CACHE_HOME="", HOME="")
    assert lost.returncode == 0, lost.stderr
    assert "neither XDG_CACHE_HOME nor HOME is set" in lost.stderr


def test_the_list_of_hashes_names_what_is_compiled() -> None:
    listed = (FREERTOS / "fetch" / "files.sha256").read_text(encoding="ascii").splitlines()
    names = {line.split("  ", 1)[1] for line in listed if not line.startswith("#")}
    assert {"tasks.c", "list.c", "queue.c", "event_groups.c", "include/FreeRTOS.h"} <= names
    assert "portable/MemMang/heap_4.c" in names
    for port in ("ARM_CM3", "ARM_CM4F", "RISC-V"):
        assert f"portable/GCC/{port}/port.c" in names
        assert f"portable/GCC/{port}/portmacro.h" in names
    for port in ("GCC/ATMega323", "ThirdParty/GCC/ATmega"):
        assert {f"portable/{port}/port.c", f"portable/{port}/portmacro.h"} <= names


def test_a_checkout_of_the_users_own_is_taken(cargo: Cargo, tmp_path: Path) -> None:
    cargo.install()
    cargo.fetch()
    own = tmp_path / "own"
    cargo.kernel.rename(own)
    result = cargo.fetch(FREERTOS_KERNEL=str(own))
    assert result.returncode == 0
    assert result.stdout.strip() == str(own)

    wrong = cargo.fetch(FREERTOS_KERNEL=str(tmp_path))
    assert wrong.returncode == 3
    assert "no FreeRTOS-Kernel folder" in wrong.stderr


def test_an_unknown_argument_is_refused(cargo: Cargo) -> None:
    result = cargo.fetch("--force")
    assert result.returncode == 2
    assert "--force" in result.stderr
