# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Runs a firmware where it belongs: the stages from plan to result, and a runner for each emulator."""

from horolog.measure.measured import Measured, excess_error
from horolog.measure.watched import RequestLog
from horolog.run.cores import (
    CoresOutcome,
    CoresRequest,
    build_cores,
    jobs_of_cores,
    measure_cores,
)
from horolog.run.cores_freertos import why_not_compared
from horolog.run.gdb_servers import Probe, Server, check_probe, probe_text, serving
from horolog.run.gdb_session import Remote, parse_remote
from horolog.run.ibex import Waveform
from horolog.run.pipeline import (
    Outcome,
    Request,
    Variant,
    build,
    measure,
    measure_baseline,
    measure_by_probe,
    measure_plan,
    why_no_freertos,
)
from horolog.run.verification import verify

__all__ = [
    "CoresOutcome",
    "CoresRequest",
    "Measured",
    "Outcome",
    "Probe",
    "Remote",
    "Request",
    "RequestLog",
    "Server",
    "Variant",
    "Waveform",
    "build",
    "build_cores",
    "check_probe",
    "excess_error",
    "jobs_of_cores",
    "measure",
    "measure_baseline",
    "measure_by_probe",
    "measure_cores",
    "measure_plan",
    "parse_remote",
    "probe_text",
    "serving",
    "verify",
    "why_no_freertos",
    "why_not_compared",
]
