# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Whether CP-SAT is there: OR-Tools, an extra, as with what it brings it is most of an installation."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

__all__ = ["INSTALL_ORTOOLS", "ortools_installed", "ortools_version"]

INSTALL_ORTOOLS = 'python -m pip install "ortools>=9.12"'
"""What installs it, beside a Horolog that is there already: the extra `plan` of pyproject.toml."""


def ortools_installed() -> bool:
    """Whether OR-Tools can be loaded. It is not loaded here: that takes half a second."""
    return find_spec("ortools") is not None


def ortools_version() -> str | None:
    """Its version; None without it."""
    try:
        return version("ortools") if ortools_installed() else None
    except PackageNotFoundError:
        return "unpacked"
