# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Build hook: put the files that are not Python into the wheel, as `horolog/_data`.

An editable install gets none of them: there `horolog.data.data_root()` finds the checkout's own, so
that an edit takes effect at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = (
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
    "schema",
    "setup/packages.toml",
    "simavr",
    "stm32",
    "systems",
    "watch",
)
"""What the installed tool reads. A folder that is missing is an error, not a smaller wheel."""


class DataHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds `FOLDERS` to standard wheels."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it writes a wheel; `version` is its kind."""
        if version == "editable":
            return
        for folder in FOLDERS:
            source = Path(self.root, folder)
            if not source.exists():
                raise FileNotFoundError(f"the wheel needs {folder}/ of the source tree")
            build_data["force_include"][str(source)] = f"horolog/_data/{folder}"
