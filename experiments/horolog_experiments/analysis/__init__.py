# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `analysis`: bounds beside an oracle's and measured responses, and how fast they are."""

from horolog_experiments.analysis.page import EXPERIMENT

__all__ = ["EXPERIMENT"]
