/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include <hrl/cell_table.h>

/*
 * The calls where cells have no groups, on a clock counter. A system with tables in cells has its own
 * (kernel/assemble/cell_tables.h), and comes without this file.
 */
enum hrl_status hrl_cell_table_start_relative(struct hrl_cell_table *table, uint32_t offset)
{
    HRLI_CHECK_CALL("hrl_cell_table_start_relative");
    return hrl_schedule_table_start_relative(table->by_clock, offset);
}

enum hrl_status hrl_cell_table_start_absolute(struct hrl_cell_table *table, uint32_t start)
{
    HRLI_CHECK_CALL("hrl_cell_table_start_absolute");
    return hrl_schedule_table_start_absolute(table->by_clock, start);
}

enum hrl_status hrl_cell_table_stop(struct hrl_cell_table *table)
{
    HRLI_CHECK_CALL("hrl_cell_table_stop");
    return hrl_schedule_table_stop(table->by_clock);
}

enum hrl_status hrl_cell_table_next(struct hrl_cell_table *from, struct hrl_cell_table *to)
{
    HRLI_CHECK_CALL("hrl_cell_table_next");
    return hrl_schedule_table_next(from->by_clock, to->by_clock);
}
