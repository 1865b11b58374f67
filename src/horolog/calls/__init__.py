# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The calls in a linked firmware: recursion, waiting, stack and registers of its bodies."""

from horolog.calls.frames import (
    FRAMES_HEADER,
    body_root,
    frame,
    frames_header,
    settle_frames,
)
from horolog.calls.graph import Body, Calls, Doubt, Spot, Wait, analyse_calls
from horolog.calls.judge import (
    check_basic_tasks,
    check_firmware,
    check_shared_threads,
    check_without_threads,
    common_stack,
)
from horolog.calls.main_stack import MainStack, Part, check_main_stack, main_stack

__all__ = [
    "FRAMES_HEADER",
    "Body",
    "Calls",
    "Doubt",
    "MainStack",
    "Part",
    "Spot",
    "Wait",
    "analyse_calls",
    "body_root",
    "check_basic_tasks",
    "check_firmware",
    "check_main_stack",
    "check_shared_threads",
    "check_without_threads",
    "common_stack",
    "frame",
    "frames_header",
    "main_stack",
    "settle_frames",
]
