# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What one measured run looked like from outside the firmware, and what follows from it."""

from horolog.trace.activated import *
from horolog.trace.calendar import *
from horolog.trace.events import *
from horolog.trace.interruptions import *
from horolog.trace.jobs import *
from horolog.trace.released import *
from horolog.trace.rounds import *
