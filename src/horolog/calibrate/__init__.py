# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Calibration: what the kernel and its queues cost on a board, for the planner."""

from horolog.calibrate.board import calibrate
from horolog.calibrate.calibration import Calibration
from horolog.calibrate.costs_text import costs_toml

__all__ = ["Calibration", "calibrate", "costs_toml"]
