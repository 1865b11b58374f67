# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What counted figures are not: it stands beside them wherever they are shown."""

from __future__ import annotations

__all__ = ["CAVEATS"]

CAVEATS = {
    "instructions": "Emulated instructions are not time on silicon: each counts as one, and QEMU charges "
    "nothing for the entry of an exception and the return from it.",
    "cycles": "Cycles are those of the core's RTL with memory that never lets it wait: exact for that, and "
    "not time on silicon.",
}
"""What counted figures are not, by the unit that was counted."""
