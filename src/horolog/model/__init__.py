# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The frozen data that the stages of the tool hand to one another."""

from horolog.model.baseline import *
from horolog.model.board import *
from horolog.model.build_options import *
from horolog.model.cores import *
from horolog.model.deadlines import *
from horolog.model.dispatch_tables import *
from horolog.model.errors import *
from horolog.model.plan import *
from horolog.model.port import *
from horolog.model.schedule_tables import *
from horolog.model.system import *
from horolog.model.verification import *
