# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What one measured run looked like from outside the firmware, and what follows from it."""

from horolog.trace.calendar import Calendar, release_count
from horolog.trace.events import Event, Trace, read_trace, write_trace
from horolog.trace.interruptions import interruptions
from horolog.trace.jobs import (
    Job,
    Met,
    Segment,
    TaskResponse,
    jobs,
    jobs_and_met,
    response_table,
    responses,
    segments,
)
from horolog.trace.released import all_released

__all__ = [
    "Calendar",
    "Event",
    "Job",
    "Met",
    "Segment",
    "TaskResponse",
    "Trace",
    "all_released",
    "interruptions",
    "jobs",
    "jobs_and_met",
    "read_trace",
    "release_count",
    "response_table",
    "responses",
    "segments",
    "write_trace",
]
