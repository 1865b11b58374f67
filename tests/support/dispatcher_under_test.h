/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DISPATCHER_UNDER_TEST_H
#define DISPATCHER_UNDER_TEST_H

#include "clock.h"
#include "dispatcher.h"
#include "hrlp_host.h"
#include "system_under_test.h"
#include <stdio.h>
#include <string.h>

/*
 * A dispatcher of two modes in virtual time, which wraps in the second round. The first has a round of 1000 with
 * rows A, B and C at 0, 300 and 700; the other one of 600 with D and E at 100 and 500. The sync point lies 200,
 * or 50, before the end. A row releases a task that never runs: its letter is noted and it counts as ended.
 */
enum { DUT_ROWS = 5, DUT_BEFORE = 100, DUT_SYNC_RETARD = 30, DUT_SYNC_ADVANCE = 250 };

static struct hrli_line_words dut_words;
static const struct hrli_line_part dut_parts[] = {
    {NULL, {0}}, {&dut_words, {1}}, {NULL, {0}}, {&dut_words, {2}},  {NULL, {0}}, {&dut_words, {4}},
    {NULL, {0}}, {&dut_words, {8}}, {NULL, {0}}, {&dut_words, {16}}, {NULL, {0}},
};
static const struct hrli_line_row dut_rows[DUT_ROWS] = {
    {300, &dut_parts[0]}, {400, &dut_parts[2]}, {300, &dut_parts[4]},
    {400, &dut_parts[6]}, {100, &dut_parts[8]},
};
static char dut_first_deadlines, dut_other_deadlines;
static const struct hrl_dispatcher_mode dut_first = {"first", &dut_rows[0], &dut_rows[3],        0,
                                                     1000,    200,          &dut_first_deadlines};
static const struct hrl_dispatcher_mode dut_other = {
    "other", &dut_rows[3], &dut_rows[5], 100, 600, 50, &dut_other_deadlines};

static hrl_stamp dut_zero, dut_due;
static bool dut_is_armed;
static bool dut_deadline_is_open;
static unsigned dut_interrupts;
static char dut_noted[2][256], dut_returned[2][256];

static inline int dut_at(hrl_stamp instant)
{
    return (int)(int32_t)(instant - dut_zero);
}

static inline const char *dut_taken(unsigned which)
{
    memcpy(dut_returned[which], dut_noted[which], sizeof dut_noted[which]);
    dut_noted[which][0] = '\0';
    return dut_returned[which];
}

/* The rows served since the last call, those of one interrupt together. */
static inline const char *dut_seen(void)
{
    return dut_taken(0);
}

/* What deadlines were told since the last call. */
static inline const char *dut_told(void)
{
    return dut_taken(1);
}

static inline void dut_note(unsigned which, const char *what, int at)
{
    size_t length = strlen(dut_noted[which]);

    (void)snprintf(dut_noted[which] + length, sizeof dut_noted[which] - length, "%s@%d ", what, at);
}

static inline void dut_arm(hrl_stamp due)
{
    dut_due = due;
    dut_is_armed = true;
}

static inline void dut_disarm(void)
{
    dut_is_armed = false;
}

static inline void dut_begin(void *of_mode, hrl_stamp begin)
{
    dut_note(1, of_mode == &dut_first_deadlines ? "begin first" : "begin other", dut_at(begin));
}

static inline bool dut_are_open(hrl_stamp end)
{
    (void)end;
    return dut_deadline_is_open;
}

static inline void dut_end(hrl_stamp end)
{
    dut_note(1, "end", dut_at(end));
}

static inline void dut_shift(hrl_stamp by)
{
    char text[32];

    (void)snprintf(text, sizeof text, "shift%d", (int)(int32_t)by);
    dut_note(1, text, dut_at((hrl_stamp)hrlp_host_now()));
}

static const struct hrli_dispatcher_deadlines dut_deadlines = {dut_begin, dut_are_open, dut_end,
                                                               dut_shift};
static const struct hrli_dispatcher_kind dut_kind = {
    dut_arm, dut_disarm,      &dut_deadlines,   0,  false, true,
    10,      DUT_SYNC_RETARD, DUT_SYNC_ADVANCE, 20, false};
struct hrli_dispatcher hrl_gen_dispatcher;
const struct hrli_lines hrl_gen_lines = {NULL, 0}; /* of which no task is late */

static inline void dut_interrupt(void)
{
    uint32_t released;
    char text[DUT_ROWS + 1];
    unsigned length = 0;

    dut_interrupts++;
    hrli_dispatcher_interrupt(&hrl_gen_dispatcher);
    released = dut_words.released ^ dut_words.done;
    dut_words.done = dut_words.released;
    for (unsigned i = 0; i < DUT_ROWS; i++) {
        if ((released >> i & 1u) != 0) {
            text[length++] = (char)('A' + i);
        }
    }
    text[length] = '\0';
    if (length != 0) {
        dut_note(0, text, dut_at((hrl_stamp)hrlp_host_now()));
    }
}

/* Time passes up to `counts` after t = 0, with the interrupts of the cell. */
static inline void dut_pass_until(int counts)
{
    while (dut_is_armed && !hrli_stamp_after(dut_due, dut_zero + (hrl_stamp)counts)) {
        if (hrli_stamp_after(dut_due, (hrl_stamp)hrlp_host_now())) {
            hrlp_host_consume(dut_due - (hrl_stamp)hrlp_host_now());
        }
        dut_interrupt();
    }
    hrlp_host_consume(dut_zero + (hrl_stamp)counts - (hrl_stamp)hrlp_host_now());
}

/* Interrupts are off for so long. */
static inline void dut_be_late(uint32_t counts)
{
    hrlp_host_consume(counts);
    dut_interrupt();
}

/* Of no description; the first round begins never. */
static inline void dut_reset(void)
{
    sut_reset();
    hrlp_host_setup.clock_start = ((hrl_counts)1 << 32) - 1500;
    hrli_clock_start();
    hrlp_irq_unlock(0);
    dut_zero = (hrl_stamp)hrlp_host_now() + DUT_BEFORE;
    hrl_gen_dispatcher =
        (struct hrli_dispatcher){.kind = &dut_kind, .mode = &dut_first, .asked = &dut_first};
    dut_words = (struct hrli_line_words){0, 0, 0};
    dut_is_armed = dut_deadline_is_open = false;
    dut_interrupts = 0;
    dut_noted[0][0] = dut_noted[1][0] = '\0';
}

/* Its first round begins at `begin`, as the start-up says it. */
static inline void dut_start_as(const struct hrli_dispatcher_kind *kind,
                                const struct hrl_dispatcher_mode *mode, int begin)
{
    dut_reset();
    hrl_gen_dispatcher.kind = kind;
    hrl_gen_dispatcher.asked = mode;
    hrl_gen_dispatcher.is_first = true;
    hrli_dispatcher_begin(&hrl_gen_dispatcher, dut_zero + (hrl_stamp)begin);
    dut_arm(hrl_gen_dispatcher.due + HRLP_CELL_EARLY_COUNTS);
}

static inline void dut_start(int begin)
{
    dut_start_as(&dut_kind, &dut_first, begin);
}

/* A dispatcher of which no deadline is monitored. */
static inline struct hrli_dispatcher_kind dut_without_deadlines(void)
{
    struct hrli_dispatcher_kind kind = dut_kind;

    kind.deadlines = NULL;
    return kind;
}

#endif
