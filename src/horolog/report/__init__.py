# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What people see of a result: a table in the terminal, and a self-contained HTML page."""

from horolog.report.page import Basic, page
from horolog.report.terminal import terminal
from horolog.report.wording import Headline, headline

__all__ = ["Basic", "Headline", "headline", "page", "terminal"]
