#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Writes Horolog's bill of materials in CycloneDX 1.6, build/sbom.cdx.json: all that it uses of others.

    .venv/bin/python setup/sbom.py [FILE]

Made of the lists that exist: the Python lock files and Cargo's, setup/packages.toml, and what
docs/third-parties.md measures against. Debian packages have the versions that are installed here. What a
user needs to run is "required", what only tests or pictures need "excluded".
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

from horolog import __version__
from horolog.programs import installed_versions

__all__ = ["LOCKS", "bill", "main", "text_of"]

ROOT = Path(__file__).resolve().parents[1]
LOCKS = {
    "requirements-run.txt": ComponentScope.REQUIRED,
    "requirements-source.txt": ComponentScope.EXCLUDED,
    "requirements-dev.txt": ComponentScope.EXCLUDED,
}
"""The Python lock files; what stands in two has the scope of the first."""
_FORMAT, _SCHEMA = OutputFormat.JSON, SchemaVersion.V1_6
_LOCKED = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>\S+).*\\$")
_HASH = re.compile(r"--hash=sha256:(?P<hash>[0-9a-f]{64})")
_SCOPES = {"run": ComponentScope.REQUIRED}  # of groups in setup/packages.toml; others: EXCLUDED
_MEASURED = re.compile(r"^\| (?P<name>[^|]*) V?(?P<version>\d[\d.]*) \| (?P<licence>[^|]*) \|")


def _sha256(value: str) -> HashType:
    return HashType(alg=HashAlgorithm.SHA_256, content=value)


def _python_packages() -> Iterator[Component]:
    """Each locked package once, with the hashes of all its files."""
    seen: set[tuple[str, str]] = set()
    for lock, scope in LOCKS.items():
        text = (ROOT / "setup" / lock).read_text(encoding="utf-8")
        for entry in re.split(r"\n(?=\w)", text):
            found = _LOCKED.match(entry.partition("\n")[0])
            if found is None or (found["name"], found["version"]) in seen:
                continue
            seen.add((found["name"], found["version"]))
            files = ExternalReference(
                type=ExternalReferenceType.DISTRIBUTION,
                url=XsUri(f"https://pypi.org/project/{found['name']}/{found['version']}/#files"),
                hashes=[_sha256(one["hash"]) for one in _HASH.finditer(entry)],
            )
            yield _component("pypi", found["name"], found["version"], scope, files=[files])


def _crates() -> Iterator[Component]:
    """What is fetched for the baseline; what is built of it is freertos-next's copy of FreeRTOS."""
    lock = ROOT / "baselines" / "freertos" / "fetch" / "Cargo.lock"
    for package in tomllib.loads(lock.read_text(encoding="utf-8"))["package"]:
        if "checksum" in package:
            name, version = package["name"], package["version"]
            made = _component("cargo", name, version, ComponentScope.OPTIONAL)
            made.hashes.add(_sha256(package["checksum"]))
            yield made


def _debian_packages() -> Iterator[Component]:
    listed = tomllib.loads((ROOT / "setup" / "packages.toml").read_text(encoding="utf-8"))
    versions = installed_versions(package["name"] for package in listed["package"])
    for package in listed["package"]:
        name, scope = package["name"], _SCOPES.get(package["group"], ComponentScope.EXCLUDED)
        made = _component("deb", name, versions.get(name), scope, namespace="debian")
        made.description = package["purpose"]
        yield made


def _measured_against() -> Iterator[Component]:
    text = (ROOT / "docs" / "third-parties.md").read_text(encoding="utf-8")
    section = text.split("\n## Measured against\n", 1)[1].split("\n## ", 1)[0]
    for row in filter(None, map(_MEASURED.match, section.splitlines())):
        made = _component("generic", row["name"], row["version"], ComponentScope.OPTIONAL)
        made.licenses.add(DisjunctiveLicense(id=row["licence"]))
        yield made


def _component(
    kind: str,
    name: str,
    version: str | None,
    scope: ComponentScope,
    *,
    namespace: str | None = None,
    files: list[ExternalReference] | None = None,
) -> Component:
    purl = PackageURL(kind, namespace, name, version)
    return Component(
        type=ComponentType.APPLICATION if kind == "deb" else ComponentType.LIBRARY,
        name=name,
        version=version,
        scope=scope,
        purl=purl,
        bom_ref=purl.to_string(),
        external_references=files or [],
    )


def bill(environment: Mapping[str, str] = os.environ) -> Bom:
    """All components. With SOURCE_DATE_EPOCH, its date, the same lists make the same bytes."""
    ours = Component(
        type=ComponentType.APPLICATION,
        name="horolog",
        version=__version__,
        bom_ref="horolog",
        licenses=[DisjunctiveLicense(id="Apache-2.0")],
    )
    sources = (_python_packages(), _crates(), _debian_packages(), _measured_against())
    components = [one for source in sources for one in source]
    epoch = environment.get("SOURCE_DATE_EPOCH")
    date = datetime.now(UTC) if epoch is None else datetime.fromtimestamp(int(epoch), UTC)
    names = "\n".join(sorted(one.bom_ref.value or "" for one in components))
    made = Bom(
        components=components,
        metadata=BomMetaData(component=ours, timestamp=date),
        serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"horolog {__version__}\n{names}"),
    )
    made.register_dependency(ours, components)
    return made


def text_of(made: Bom) -> str:
    """`made` as CycloneDX JSON."""
    return make_outputter(made, _FORMAT, _SCHEMA).output_as_string(indent=1) + "\n"


def main(arguments: list[str]) -> int:
    """Write the bill to the file that is named."""
    out = Path(arguments[0]) if arguments else ROOT / "build" / "sbom.cdx.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text_of(bill()), encoding="utf-8")
    print(out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
