# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bill of materials: valid CycloneDX that names all that is locked, packaged or measured against."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from tests.tool.setup_scripts import load_script

ROOT = Path(__file__).resolve().parents[2]
DATED = {"SOURCE_DATE_EPOCH": "1798761600"}


@cache
def module() -> ModuleType:
    return load_script("sbom")


@cache
def text() -> str:
    made: str = module().text_of(module().bill(DATED))
    return made


def components(kind: str) -> dict[str, dict[str, Any]]:
    """By name and version, those whose package URL is of `kind`."""
    found = [one for one in json.loads(text())["components"] if f"pkg:{kind}/" in one["purl"]]
    return {f"{one['name']}=={one.get('version')}": one for one in found}


def test_it_is_what_the_standard_says() -> None:
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text()) is None


def test_the_same_lists_make_the_same_bytes() -> None:
    assert module().text_of(module().bill(DATED)) == text()
    assert "2027-01-01T00:00:00" in text()


def test_every_locked_python_package_is_named_with_its_hashes() -> None:
    locks = sorted((ROOT / "setup").glob("requirements-*.txt"))
    assert {lock.name for lock in locks} == set(module().LOCKS)
    named = components("pypi")
    locked: dict[str, set[str]] = {}
    for lock in locks:
        for line in lock.read_text(encoding="utf-8").splitlines():
            if entry := re.match(r"[\w.-]+==\S+", line):
                last = locked.setdefault(entry[0], set())
            elif line.startswith("    --hash="):
                last.add(line.split(":")[1].split()[0])
    assert named.keys() == locked.keys()
    for name, hashes in locked.items():
        (files,) = named[name]["externalReferences"]
        assert {one["content"] for one in files["hashes"]} == hashes


def test_what_tests_need_is_not_what_runs() -> None:
    scopes = {name.split("==")[0]: one["scope"] for name, one in components("pypi").items()}
    assert (scopes["click"], scopes["pytest"]) == ("required", "excluded")


def test_every_crate_and_every_debian_package_is_named() -> None:
    lock = tomllib.loads((ROOT / "baselines/freertos/fetch/Cargo.lock").read_text())
    crates = [f"{one['name']}=={one['version']}" for one in lock["package"] if "checksum" in one]
    assert components("cargo").keys() == set(crates)
    listed = tomllib.loads((ROOT / "setup" / "packages.toml").read_text())["package"]
    assert {name.split("==")[0] for name in components("deb")} == {one["name"] for one in listed}


def test_what_is_measured_against_is_named() -> None:
    assert {"FreeRTOS-Kernel==11.2.0", "Eclipse ThreadX==6.4.2"} == components("generic").keys()
