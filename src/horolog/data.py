# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Where the files that are not Python lie: kernel, ports, boards, examples and so on."""

from __future__ import annotations

from pathlib import Path

__all__ = ["data_root"]


def data_root() -> Path:
    """The folder that holds kernel, ports, boards, include, plugin, simavr, stm32, watch, cmake and so on.

    A wheel carries them in the package's `_data`; in a checkout they are the repository's own,
    so that an edit takes effect at once.
    """
    package = Path(__file__).resolve().parent
    installed = package / "_data"
    return installed if installed.is_dir() else package.parents[1]
