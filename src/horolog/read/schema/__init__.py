# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The shape of system.toml, board.toml and port.toml, key by key, and the JSON Schemas for editors.

What one key alone can get wrong is found here. What takes two keys, a board or another file to see
is found in the files of read/. The text behind a key is its description in the schema.
"""

from horolog.read.schema.boards import (
    BoardFile,
    CellTable,
    ControllerTable,
    FreertosTable,
    LineTable,
    MemoryTable,
    PlainTable,
    ProbeTable,
)
from horolog.read.schema.dispatch import DispatchTable, PointTable, SyncTable
from horolog.read.schema.interrupts import InterruptTable
from horolog.read.schema.json_schema import board_schema, system_schema
from horolog.read.schema.ports import PortFile
from horolog.read.schema.resources import HOLD_FORMS, REQUEST_FORMS, ResourceTable
from horolog.read.schema.schedules import (
    AutostartTable,
    CounterTable,
    ExpiryTable,
    ScheduleFile,
    ScheduleTableTable,
    SetTable,
)
from horolog.read.schema.system import ChainTable, SystemFile, SystemTable
from horolog.read.schema.tasks import (
    PERIOD_FORMS,
    DistributionName,
    GroupTable,
    PeriodTable,
    ServerTable,
    ShareName,
    TaskTable,
)

__all__ = [
    "BoardFile",
    "CellTable",
    "ControllerTable",
    "FreertosTable",
    "LineTable",
    "MemoryTable",
    "PlainTable",
    "ProbeTable",
    "DispatchTable",
    "PointTable",
    "InterruptTable",
    "board_schema",
    "system_schema",
    "PortFile",
    "HOLD_FORMS",
    "REQUEST_FORMS",
    "ResourceTable",
    "AutostartTable",
    "CounterTable",
    "ExpiryTable",
    "ScheduleFile",
    "ScheduleTableTable",
    "SetTable",
    "ChainTable",
    "SyncTable",
    "SystemFile",
    "SystemTable",
    "PERIOD_FORMS",
    "DistributionName",
    "GroupTable",
    "PeriodTable",
    "ServerTable",
    "ShareName",
    "TaskTable",
]
