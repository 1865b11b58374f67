# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What follows from a system's description alone: priority levels, release instants, static stores."""

from horolog.analyse.chains import *
from horolog.analyse.expiries import *
from horolog.analyse.large import *
from horolog.analyse.levels import *
from horolog.analyse.lines import *
from horolog.analyse.releases import *
from horolog.analyse.sharing import *
from horolog.analyse.simulated_queues import *
from horolog.analyse.static_stores import *
from horolog.analyse.table_deadlines import *
from horolog.analyse.table_levels import *
from horolog.analyse.table_modes import *
from horolog.analyse.table_rounds import *
from horolog.analyse.waiting import *
from horolog.analyse.walks import *
