# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""baselines/freertos/fetch.sh, with a stand-in for cargo: nothing is fetched."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FETCH = ROOT / "baselines" / "freertos" / "fetch.sh"

CARGO = """#!/bin/sh
echo "$*" >>"{root}/log"
if [ "$1" = --version ]; then echo "cargo {cargo} (0000 2026-01-01)"; exit 0; fi
[ -f Cargo.lock ] || exit 9
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

    def install(self, cargo: str = "1.85.0", kernel: str = "V11.2.0") -> None:
        program = self.root / "bin" / "cargo"
        text = CARGO.replace("{root}", str(self.root)).replace("{cargo}", cargo)
        program.write_text(text.replace("{kernel}", kernel))
        program.chmod(0o755)

    def fetch(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", FETCH, *arguments],
            env={
                "PATH": f"{self.root}/bin:/usr/bin:/bin",
                "XDG_CACHE_HOME": str(self.root / "cache"),
                **variables,
            },
            capture_output=True,
            text=True,
            check=False,
        )

    def calls(self) -> list[str]:
        log = self.root / "log"
        return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def cargo(tmp_path: Path) -> Cargo:
    (tmp_path / "bin").mkdir()
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
