/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "hrlp_cell.h"
#include "hrlp_clock.h"
#include "own_core.h"
#include "table_step.h"
#include <stddef.h>

/* The table with the earliest `due`, of equal ones the one that was started first; NULL: none runs. */
static struct hrl_schedule_table *first_of(const struct hrl_counter *counter, uint32_t now)
{
    struct hrl_schedule_table *first = counter->tables;

    if (first != NULL) {
        for (struct hrl_schedule_table *table = first->next; table != NULL; table = table->next) {
            if ((int32_t)(table->due - now) < (int32_t)(first->due - now)) {
                first = table;
            }
        }
    }
    return first;
}

uint32_t hrli_counter_total(const struct hrl_counter *counter)
{
    return counter->alarm == NULL ? counter->total : hrlp_clock_read();
}

/* The table to be processed at `now`, or NULL. */
static struct hrl_schedule_table *due_of(const struct hrl_counter *counter, uint32_t now)
{
    struct hrl_schedule_table *first = first_of(counter, now);

    return first != NULL && (int32_t)(first->due - now) <= 0 ? first : NULL;
}

void hrl_counter_increment(struct hrl_counter *counter)
{
    struct hrl_schedule_table *table;
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_counter_increment");
    HRLI_CHECK(counter->alarm == NULL, "hrl_counter_increment: for software counters");
    HRLI_CHECK_OWN_CORE(counter, "hrl_counter_increment: a counter of another core");
    state = hrlp_irq_lock();
    counter->value = counter->value == counter->maximum ? 0 : counter->value + 1u;
    counter->total++;
    while ((table = due_of(counter, counter->total)) != NULL) {
        hrli_table_step(table);
    }
    hrlp_irq_unlock(state);
}

uint32_t hrl_counter_value(const struct hrl_counter *counter)
{
    return counter->alarm == NULL ? counter->value : hrlp_clock_read();
}

/*
 * Serves what has passed in its order, also where this comes late; each instant under one lock. An alarm may
 * expire as early as a cell interrupts.
 */
void hrli_counter_process(struct hrl_counter *counter)
{
    struct hrl_schedule_table *table;
    uint32_t instant = 0;
    bool is_first = true;
    hrlp_irq_state state = hrlp_irq_lock();

    counter->is_processing = true;
    while ((table = due_of(counter, hrli_counter_total(counter) + HRLP_CELL_EARLY_COUNTS)) !=
           NULL) {
        if (!is_first && table->due != instant) {
            hrlp_irq_unlock(state);
            state = hrlp_irq_lock();
        }
        instant = table->due;
        is_first = false;
        hrli_table_step(table);
    }
    counter->is_processing = false;
    hrlp_irq_unlock(state);
}

bool hrli_counter_next(const struct hrl_counter *counter, uint32_t *due)
{
    hrlp_irq_state state = hrlp_irq_lock();
    const struct hrl_schedule_table *first = first_of(counter, hrli_counter_total(counter));

    if (first != NULL) {
        *due = first->due;
    }
    hrlp_irq_unlock(state);
    return first != NULL;
}
