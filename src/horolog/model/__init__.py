# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The frozen data that the stages of the tool hand to one another."""

from horolog.model.board import Board, Cell, Clock, Memory, Mode, Runner
from horolog.model.errors import Exit, HorologError, NeverIdle, Place
from horolog.model.plan import (
    LINEAR_STORES,
    MASK_STORES,
    MECHANISMS,
    QUEUES,
    STATIC_STORES,
    STORES,
    UNBOUNDED_STORES,
    Alternative,
    Bounds,
    CostsOrigin,
    Mapping,
    Plan,
    Planned,
    Prediction,
    QueueChoice,
    QueueOption,
    Releaser,
)
from horolog.model.system import Kind, Overrun, PriorityRule, System, Task

__all__ = [
    "LINEAR_STORES",
    "MASK_STORES",
    "MECHANISMS",
    "QUEUES",
    "STATIC_STORES",
    "STORES",
    "UNBOUNDED_STORES",
    "Alternative",
    "Board",
    "Bounds",
    "Cell",
    "Clock",
    "CostsOrigin",
    "Exit",
    "HorologError",
    "Kind",
    "Mapping",
    "Memory",
    "Mode",
    "NeverIdle",
    "Overrun",
    "Place",
    "Plan",
    "Planned",
    "Prediction",
    "PriorityRule",
    "QueueChoice",
    "QueueOption",
    "Releaser",
    "Runner",
    "System",
    "Task",
]
