# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the kernel promises, as plainly as it can be said: the scheduler, its services, their time-outs.

Written from include/hrl/*.h and ADR 0006, not from the kernel's code. Time stands still in the kernel.
What holds at one instant, in this order: interrupts, in the order of the script; time-outs and alarms
expire, as their releaser's interrupt is less urgent, earlier instants first and of equal instants those
that were asked for first; one dispatch.

A call consists of steps, between any two of which an interrupt may fall. Where the script says that one
does, but not between which, every place is right: `explain` follows the kernel's trace and asks whether
some choice of places leads to it.
"""

from tests.model.reference.explanation import Explanation, explain

__all__ = ["Explanation", "explain"]
