/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"

/* Time slices (hrlp_cell.h), where a cell of the board serves them: slices_<device>.c says which. */
__attribute__((weak)) extern const struct conform_slices conform_slices;

enum { SLICE = 3000, LATE = CONFORM_LATE };

static volatile unsigned over;
static volatile hrl_stamp over_at, prolonged_at;
static volatile bool prolong;

static void count(void)
{
    if (conform_slices.is_over()) {
        over++;
        over_at = hrlp_clock_read();
        if (prolong) {
            prolong = false;
            prolonged_at = hrlp_clock_read();
            conform_slices.prolong(SLICE / 4, SLICE);
        }
    }
}

static bool just_over(unsigned n, hrl_stamp due)
{
    return over == n && over_at + HRLP_CELL_EARLY_COUNTS - due < LATE;
}

static hrl_stamp start(void)
{
    hrlp_irq_state state = hrlp_irq_lock();
    hrl_stamp now;

    over = 0;
    conform_slices.start(SLICE);
    now = hrlp_clock_read();
    hrlp_irq_unlock(state);
    return now;
}

static void check_start(const char *name)
{
    hrl_stamp begin = start();

    conform_wait(SLICE - LATE);
    conform_check(name, "a slice is not over early", over == 0);
    conform_wait(2 * LATE);
    conform_check(name, "a slice is over in time", just_over(1, begin + SLICE));
    conform_wait(SLICE);
    conform_check(name, "another follows it", just_over(2, begin + 2 * SLICE));
}

static void check_restart(const char *name)
{
    hrlp_irq_state state;
    hrl_stamp begin;

    (void)start();
    conform_wait(SLICE / 2);
    conform_slices.restart();
    begin = hrlp_clock_read();
    conform_wait(SLICE - LATE);
    conform_check(name, "a slice that was restarted is whole", over == 0);
    conform_wait(2 * LATE);
    conform_check(name, "and over then", just_over(1, begin + SLICE));
    (void)start();
    state = hrlp_irq_lock();
    conform_wait(SLICE + SLICE / 2);
    conform_slices.restart();
    begin = hrlp_clock_read();
    hrlp_irq_unlock(state); /* and what was raised takes its time */
    conform_wait(SLICE - 2 * LATE);
    conform_check(name, "what was raised before a restart means nothing", over == 0);
    conform_wait(3 * LATE);
    conform_check(name, "but what comes a slice later", just_over(1, begin + SLICE));
}

static void check_prolong(const char *name)
{
    (void)start();
    prolong = true;
    conform_wait(SLICE + SLICE / 4 + 2 * LATE);
    conform_check(name, "a slice is prolonged", just_over(2, prolonged_at + SLICE / 4));
    conform_wait(SLICE);
    conform_check(name, "and whole ones follow", over == 3);
}

static bool is_named(const struct conform_cell *cell, const char *name)
{
    const char *letter = cell->name;

    while (*letter != '\0' && *letter == *name) {
        letter++;
        name++;
    }
    return *letter == *name;
}

void conform_test_slices(void)
{
    struct conform_cell *cell;

    if (&conform_slices == NULL) {
        return;
    }
    for (cell = conform_cells; !is_named(cell, conform_slices.cell);) {
        cell++;
    }
    cell->on_interrupt = count;
    check_start(cell->name);
    check_restart(cell->name);
    check_prolong(cell->name);
    conform_cell_disarm(cell);
    conform_cell_reset(cell);
}
