# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Experiments: what the kernel costs on a board."""

from horolog.bench.calibrate import Calibration, calibrate, costs_toml

__all__ = ["Calibration", "calibrate", "costs_toml"]
