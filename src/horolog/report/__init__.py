# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What people see of a result: a table in the terminal, and a self-contained HTML page."""

from horolog.report.cores_page import cores_page
from horolog.report.cores_rows import CoreSeen
from horolog.report.cores_terminal import cores_terminal
from horolog.report.page import Basic, page
from horolog.report.terminal import terminal
from horolog.report.wording import Headline, headline

__all__ = [
    "Basic",
    "CoreSeen",
    "Headline",
    "cores_page",
    "cores_terminal",
    "headline",
    "page",
    "terminal",
]
