# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# The suite's sources that are the same for every port.

set(HRL_PORT_SUITE conform.c clock.c switch.c leave.c cells.c lines.c slices.c)
