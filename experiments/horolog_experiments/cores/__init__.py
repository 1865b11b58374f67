# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `cores`: what many cores cost, Horolog beside FreeRTOS V11's SMP on the same RTL."""

from horolog_experiments.cores.experiment import EXPERIMENT
from horolog_experiments.cores.run import measure_cores

__all__ = ["EXPERIMENT", "measure_cores"]
