/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"

/* The lock, as seen by the cells' interrupts, and the cells. */
enum { LATE = CONFORM_LATE, FAR = 5000, NEAR = 50 };

void conform_test_lock(void)
{
    struct conform_cell *cell = &conform_cells[0];
    hrlp_irq_state outer = hrlp_irq_lock(), inner;

    cell->calls.arm(hrlp_clock_read() - 1);
    conform_wait(200);
    conform_check("lock", "keeps interrupts out", cell->fired == 0);
    inner = hrlp_irq_lock();
    conform_wait(200);
    hrlp_irq_unlock(inner);
    conform_wait(200);
    conform_check("lock", "nests", cell->fired == 0);
    hrlp_irq_unlock(outer);
    conform_wait(LATE);
    conform_check("lock", "what was raised meanwhile comes at the end", cell->fired == 1);
    conform_wait(FAR);
    conform_check("lock", "and comes once", cell->fired == 1);
    conform_cell_reset(cell);
}

/* Whether interrupt `n` came for `due`, neither early nor late. */
static bool came(const struct conform_cell *cell, unsigned n, hrl_stamp due)
{
    return cell->fired > n && cell->at[n] + HRLP_CELL_EARLY_COUNTS - due < LATE;
}

static void check_far(struct conform_cell *cell)
{
    hrl_stamp due = hrlp_clock_read() + FAR;

    conform_cell_arm(cell, due);
    conform_wait(FAR + LATE);
    conform_check(cell->name, "fires at its instant", came(cell, 0, due));
    conform_wait(3 * FAR);
    conform_check(cell->name, "and only then", cell->fired == 1);
    conform_cell_reset(cell);
}

/* Nearer and nearer, down to what passes while it is armed; then in the past. */
static void check_near(struct conform_cell *cell)
{
    static const uint32_t ago[] = {1, 100, 10000, (uint32_t)1 << 24, (uint32_t)1 << 30};
    bool all_came = true, once = true;

    for (uint32_t ahead = NEAR; ahead-- > 0;) {
        hrl_stamp due = hrlp_clock_read() + ahead;
        conform_cell_arm(cell, due);
        conform_wait(NEAR + LATE);
        all_came = all_came && came(cell, 0, due);
        once = once && cell->fired <= 1;
        conform_cell_reset(cell);
    }
    conform_check(cell->name, "fires for every near instant", all_came);
    conform_check(cell->name, "once for every near instant", once);
    all_came = once = true;
    for (unsigned i = 0; i < sizeof ago / sizeof ago[0]; i++) {
        conform_cell_arm(cell, hrlp_clock_read() - ago[i]);
        conform_wait(LATE);
        all_came = all_came && cell->fired >= 1;
        conform_wait(FAR);
        once = once && cell->fired <= 1;
        conform_cell_reset(cell);
    }
    conform_check(cell->name, "fires at once for an instant in the past", all_came);
    conform_check(cell->name, "once for an instant in the past", once);
}

static void check_replaced(struct conform_cell *cell)
{
    hrl_stamp start = hrlp_clock_read();
    hrlp_irq_state state;

    conform_cell_arm(cell, start + FAR / 2);
    conform_cell_arm(cell, start + 2 * FAR);
    conform_wait(FAR);
    conform_check(cell->name, "forgets an instant that was replaced", cell->fired == 0);
    conform_wait(FAR + LATE);
    conform_check(cell->name, "fires for the one that replaced it", came(cell, 0, start + 2 * FAR));
    conform_cell_reset(cell);

    state = hrlp_irq_lock();
    cell->calls.arm(hrlp_clock_read() + 10);
    conform_wait(200);
    start = hrlp_clock_read();
    cell->calls.arm(start + FAR);
    hrlp_irq_unlock(state);
    conform_wait(FAR / 2);
    conform_check(cell->name, "forgets what was raised when armed anew", cell->fired == 0);
    conform_wait(FAR / 2 + LATE);
    conform_check(cell->name, "and fires at the new instant",
                  cell->fired == 1 && came(cell, 0, start + FAR));
    conform_cell_reset(cell);
}

static void check_disarmed(struct conform_cell *cell)
{
    uint32_t longest = cell->width > 31 ? 0x7FFFFFFFu : ((uint32_t)1 << cell->width) - 1u;

    conform_cell_arm(cell, hrlp_clock_read() + FAR / 2);
    conform_cell_disarm(cell);
    conform_wait(FAR);
    conform_check(cell->name, "disarmed, does not fire", cell->fired == 0);
    conform_cell_arm(cell, hrlp_clock_read() + longest - FAR);
    conform_wait(FAR);
    conform_check(cell->name, "armed as far as it can time, is not early", cell->fired == 0);
    conform_cell_disarm(cell);
    conform_cell_reset(cell);
}

static void check_periodic(struct conform_cell *cell)
{
    const bool is_short = cell->width < 10; /* its counter goes no further */
    const uint32_t period = is_short ? 151u : 731u, far = is_short ? 240u : FAR;
    hrl_stamp first = hrlp_clock_read() + far;
    hrlp_irq_state state = hrlp_irq_lock();
    bool in_phase = true;
    unsigned fired;

    cell->calls.start_periodic(first, period);
    hrlp_irq_unlock(state);
    conform_wait(far - 200);
    conform_check(cell->name, "periodic, does not fire before its first instant", cell->fired == 0);
    conform_wait(CONFORM_INSTANTS * period + 200);
    for (unsigned n = 0; n < CONFORM_INSTANTS; n++) {
        in_phase = in_phase && came(cell, n, first + n * period);
    }
    conform_check(cell->name, "periodic, fires at every instant", in_phase);
    conform_cell_disarm(cell);
    fired = cell->fired;
    conform_wait(3 * period);
    conform_check(cell->name, "periodic, stops when disarmed", cell->fired == fired);
    conform_cell_reset(cell);
}

struct conform_parts conform_parts;

bool conform_parts_passed(void)
{
    hrl_stamp now = hrlp_clock_read();
    bool has_passed = false;

    conform_parts.next += conform_parts.period;
    while ((int32_t)(now - conform_parts.next) >= 0) {
        conform_parts.next += conform_parts.period;
        has_passed = true;
    }
    return has_passed;
}

/*
 * Interrupts are masked for more than two periods: then it is in phase again, at the next instant. With `in_parts` its
 * handler acknowledges in two.
 */
static void check_late(struct conform_cell *cell, bool in_parts)
{
    const uint32_t period = cell->width < 10 ? 151u : 731u;
    hrl_stamp first = hrlp_clock_read() + 240u, now;
    hrlp_irq_state state = hrlp_irq_lock();
    unsigned fired;
    bool is_in_phase;

    conform_parts.period = in_parts ? period : 0;
    conform_parts.next = first;
    cell->calls.start_periodic(first, period);
    conform_wait(240u + 2u * period + period / 2u);
    hrlp_irq_unlock(state);
    conform_wait(10u);
    fired = cell->fired;
    conform_wait(period);
    now = hrlp_clock_read();
    is_in_phase =
        fired >= 1u && cell->fired == fired + 1u && came(cell, fired, now - (now - first) % period);
    if (in_parts) { /* a text has to be a literal */
        conform_check(cell->name, "periodic, late, acknowledged in parts, goes on in phase",
                      is_in_phase);
    } else {
        conform_check(cell->name, "periodic, late by some periods, goes on in phase", is_in_phase);
    }
    conform_cell_disarm(cell);
    conform_parts.period = 0;
    conform_cell_reset(cell);
}

/* More than half of what 16 bits hold: what is ahead is not to be taken for what has passed. */
static void check_long(struct conform_cell *cell)
{
    const uint32_t period = 40000, times = 3;
    hrl_stamp first = hrlp_clock_read() + FAR;
    hrlp_irq_state state = hrlp_irq_lock();
    bool in_phase = true;

    cell->calls.start_periodic(first, period);
    hrlp_irq_unlock(state);
    conform_wait(FAR + (times - 1) * period + 200u);
    for (unsigned n = 0; n < times; n++) {
        in_phase = in_phase && came(cell, n, first + n * period);
    }
    conform_check(cell->name, "periodic, of a long period, fires at every instant and at no other",
                  in_phase && cell->fired == times);
    conform_cell_disarm(cell);
    conform_cell_reset(cell);
}

/* Periods of 731 2/3 counts, as kernel/release/cell_steps.h has a cell time them. */
enum { STEPPED = 731, STEPS = 600 };
static struct {
    struct conform_cell *cell;
    hrl_stamp first;
    bool in_phase;
} stepped;

static hrl_stamp stepped_at(unsigned k)
{
    return stepped.first + (hrl_stamp)k * STEPPED +
           ((uint32_t)k * 2u * 21846u >> 16); /* 2/3: a core may not divide */
}

static void stretch(unsigned interval)
{
    unsigned told = interval + stepped.cell->stretches_ahead;

    stepped.cell->stretch(stepped_at(interval + 1), STEPPED,
                          stepped_at(told + 1) - stepped_at(told) != STEPPED);
}

static void step(void)
{
    hrl_stamp now = hrlp_clock_read();
    unsigned k = stepped.cell->fired - 1;

    stretch(k);
    stepped.in_phase = stepped.in_phase && now + HRLP_CELL_EARLY_COUNTS - stepped_at(k) < LATE;
}

static void check_stepped(struct conform_cell *cell)
{
    hrlp_irq_state state = hrlp_irq_lock();

    stepped.cell = cell;
    stepped.first = hrlp_clock_read() + FAR;
    stepped.in_phase = true;
    cell->on_interrupt = step;
    cell->calls.start_periodic(stepped.first, STEPPED);
    if (cell->stretches_ahead) {
        cell->stretch(stepped.first, STEPPED, false);
    }
    hrlp_irq_unlock(state);
    conform_wait(stepped_at(STEPS) - hrlp_clock_read() - 200);
    conform_check(cell->name, "stepped, fires as often as its period says", cell->fired == STEPS);
    conform_check(cell->name, "stepped, fires at every instant", stepped.in_phase);
    conform_cell_disarm(cell);
    conform_wait(3 * STEPPED);
    conform_cell_reset(cell);
}

/* All at one instant: none is lost because others interrupt as well, or share its line. */
static void check_together(void)
{
    hrl_stamp due = hrlp_clock_read() + FAR;
    bool all = true;

    for (unsigned i = 0; i < conform_cell_count; i++) {
        conform_cell_arm(&conform_cells[i], due);
    }
    conform_wait(FAR + (3 + 2 * conform_cell_count) * LATE);
    for (unsigned i = 0; i < conform_cell_count; i++) {
        all = all && conform_cells[i].fired == 1;
        conform_cell_reset(&conform_cells[i]);
    }
    conform_check("cells", "all of them at one instant, each fires once", all);
}

/* Moved on before it fires, and after. What is ahead is read within NEAR counts of the clock. */
static void check_compare(struct conform_cell *cell)
{
    hrl_stamp due = hrlp_clock_read() + FAR;
    int32_t ahead;

    conform_cell_arm(cell, due);
    ahead = cell->compare_ahead();
    conform_check(cell->name, "tells what is ahead",
                  (uint32_t)ahead - (due - hrlp_clock_read()) < NEAR);
    cell->compare_move(FAR);
    conform_wait(FAR + LATE);
    conform_check(cell->name, "does not fire at an instant from which it was moved",
                  cell->fired == 0);
    due += FAR;
    conform_wait(FAR);
    conform_check(cell->name, "fires where it was moved to", came(cell, 0, due));
    ahead = cell->compare_ahead();
    conform_check(cell->name, "tells how long that has passed",
                  ahead < 0 && (hrlp_clock_read() - due) + (uint32_t)ahead < NEAR);
    cell->compare_move(2 * FAR);
    due += 2u * FAR;
    conform_wait(2 * FAR);
    conform_check(cell->name, "moved on after it fired, fires again, once",
                  cell->fired == 2 && came(cell, 1, due));
    conform_cell_disarm(cell);
    conform_cell_reset(cell);
}

void conform_test_cells(void)
{
    bool all_one_shot = true;

    for (unsigned i = 0; i < conform_cell_count; i++) {
        struct conform_cell *cell = &conform_cells[i];

        all_one_shot = all_one_shot && cell->one_shot;
        if (cell->one_shot) {
            check_far(cell);
            check_near(cell);
            check_replaced(cell);
            check_disarmed(cell);
        }
        if (cell->compare_move != NULL) {
            check_compare(cell);
        }
    }
    if (all_one_shot) {
        check_together();
    }
}

void conform_test_periodic(void)
{
    for (unsigned i = 0; i < conform_cell_count; i++) {
        if (conform_cells[i].periodic) {
            check_periodic(&conform_cells[i]);
            check_late(&conform_cells[i], false);
            check_late(&conform_cells[i], true);
            if (conform_cells[i].width >= 16) {
                check_long(&conform_cells[i]);
            }
        }
        if (conform_cells[i].stretch != NULL) {
            check_stepped(&conform_cells[i]);
        }
    }
}
