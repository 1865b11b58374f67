# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Divides a system's tasks among cores: every core proved, the overhead least, and the gap said."""

from horolog.divide.core_plans import (
    CoresPlanned,
    DividedSystem,
    divided,
    plans_for_cores,
)
from horolog.divide.packing import FITS
from horolog.divide.search import Effort
from horolog.divide.systems import Divided, divide, plain_part, together

__all__ = [
    "FITS",
    "CoresPlanned",
    "Divided",
    "DividedSystem",
    "Effort",
    "divide",
    "divided",
    "plain_part",
    "plans_for_cores",
    "together",
]
