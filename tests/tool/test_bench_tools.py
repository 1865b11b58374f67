# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The versions of packages in the evidence: those of dpkg, a row for each page."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.programs import package_versions
from horolog_experiments.harness.tools import TOOLS_PAGE, tools_page, write_tools

GCC = {"gcc-arm-none-eabi": "15:12.2.rel1-1", "qemu-system-arm": "1:7.2+dfsg-7+deb12u18+b3"}
DPKG = r"""#!/bin/sh
[ "$1" = --show ] || exit 2
printf 'ii \tgcc-arm-none-eabi\t15:12.2.rel1-1\n'
printf 'un \tverilator\t\n'
printf 'ii \tqemu-system-arm\t1:7.2+dfsg-7+deb12u18+b3\n'
echo "dpkg-query: no packages found matching yosys" >&2
exit 1
"""


def test_versions_are_those_of_the_installed_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "dpkg-query"
    program.write_text(DPKG, encoding="ascii")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert package_versions() == GCC


def test_another_system_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert package_versions() == {}


def test_a_bench_writes_its_own_row_only(tmp_path: Path) -> None:
    write_tools(tmp_path, "kernel", GCC)
    before = (tmp_path / TOOLS_PAGE).read_text(encoding="utf-8")
    versions = "gcc-arm-none-eabi 15:12.2.rel1-1, qemu-system-arm 1:7.2+dfsg-7+deb12u18+b3"
    row = f"| [kernel.md](kernel.md) | {versions} |"
    assert row in before.splitlines()
    write_tools(tmp_path, "chronos", {"gcc-arm-none-eabi": "15:13.1-1"})
    after = (tmp_path / TOOLS_PAGE).read_text(encoding="utf-8")
    assert row in after.splitlines()
    assert "| [chronos.md](chronos.md) | gcc-arm-none-eabi 15:13.1-1 |" in after.splitlines()
    assert tools_page(after, "kernel", GCC) == after
    assert "not Debian's" in tools_page(after, "kernel", {})
