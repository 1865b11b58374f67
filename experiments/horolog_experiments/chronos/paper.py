# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Table II of CHRONOS, as it is printed: how many times less overhead than FreeRTOS's."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["TABLE_II"]

TABLE_II: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "low": {"chronos": ("9.16", "4.64"), "const": ("9.79", "4.94")},
    "high": {"chronos": ("9.36", "5.98"), "const": ("10.01", "6.37")},
    "single": {"const": ("1.56", "1.41"), "harmonic": ("2.33", "1.83")},
    "harmonic-low": {
        "chronos": ("3.64", "2.52"),
        "const": ("3.89", "2.69"),
        "harmonic": ("5.68", "3.94"),
    },
    "harmonic-high": {
        "chronos": ("3.7", "3.07"),
        "const": ("3.97", "3.3"),
        "harmonic": ("5.83", "4.82"),
    },
}
"""The paper's ratios by scenario and method: peak, and geometric mean over points that all methods hold."""
