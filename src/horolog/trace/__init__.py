# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What one measured run looked like from outside the firmware, and what follows from it."""

from horolog.trace.events import Event, Trace, read_trace, write_trace
from horolog.trace.jobs import (
    Job,
    Segment,
    TaskResponse,
    jobs,
    release_count,
    response_table,
    responses,
    segments,
)

__all__ = [
    "Event",
    "Job",
    "Segment",
    "TaskResponse",
    "Trace",
    "jobs",
    "read_trace",
    "release_count",
    "response_table",
    "responses",
    "segments",
    "write_trace",
]
