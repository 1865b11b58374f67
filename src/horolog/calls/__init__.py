# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The calls in a linked firmware: recursion, waiting, stack and registers of its bodies."""

from horolog.calls.frames import *
from horolog.calls.graph import *
from horolog.calls.judge import *
from horolog.calls.main_stack import *
from horolog.calls.thread_stacks import *
