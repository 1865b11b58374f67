/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: 0BSD */
#include "hrl_gen_tables.h" /* the tables, and what they activate */

/* What the table of a cold engine sets behind its last spark. */
HRL_EVENT_DEFINE(engine);
#define TURNED 1u

#define START_COUNTS 1000u /* from now to the first turn */
#define COLD_SPARKS 12u    /* a stand-in for a temperature */

void spark(void);
void manage(void);

static volatile uint32_t sparks, turns;

void spark(void)
{
    sparks++;
}

/* The calls are those of any schedule table. A call that is not for the table's state is refused. */
void manage(void)
{
    if ((hrl_event_flags(&engine) & TURNED) != 0) {
        turns++;
        hrl_event_clear(&engine, TURNED);
    }
    if (sparks == 0 && hrl_schedule_table_state(&table_cold) == HRL_TABLE_STOPPED) {
        (void)hrl_schedule_table_start_relative(&table_cold, START_COUNTS);
    } else if (sparks >= COLD_SPARKS &&
               hrl_schedule_table_state(&table_warm) == HRL_TABLE_STOPPED) {
        (void)hrl_schedule_table_next(&table_cold, &table_warm);
    }
}
