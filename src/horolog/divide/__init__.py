# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Divides a system's tasks among cores: every core proved, the overhead least, and the gap said."""

from horolog.divide.packing import FITS
from horolog.divide.search import Effort
from horolog.divide.systems import Divided, divide, plain_part, together

__all__ = ["FITS", "Divided", "Effort", "divide", "plain_part", "together"]
