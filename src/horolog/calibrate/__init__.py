# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Calibration: what the kernel and its queues cost on a board, for the planner."""

from horolog.calibrate.board import calibrate
from horolog.calibrate.by_probe import calibrate_by_probe
from horolog.calibrate.calibration import Calibration
from horolog.calibrate.costs_text import costs_toml

__all__ = ["Calibration", "calibrate", "calibrate_by_probe", "costs_toml"]
