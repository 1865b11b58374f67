/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_GROUPS_UNDER_TEST_H
#define SUPPORT_GROUPS_UNDER_TEST_H

#include "hrlp_host.h"
#include "hrlp_irq.h"
#include "line_group.h"
#include "lines_under_test.h"
#include "with_cmocka.h"
#include <stdio.h>

/*
 * Three groups of one task each, in the place of what is generated, for the stores of groups: high comes at
 * 1000 and every 1000 counts, first at 1000 and every 2000, second at 2000 and every 3000; the last two are on
 * one line. On a controller high is alone on its line.
 */
enum { HIGH, FIRST, SECOND, GROUPS, PERIOD = 1000 };

static struct hrli_line_part gut_parts[2 * GROUPS + 1];
static struct hrli_line_group gut_groups[GROUPS];
static hrl_stamp gut_served;
static hrl_counts gut_cost; /* of second's next job */
static const hrl_stamp gut_first[GROUPS] = {PERIOD, PERIOD, 2 * PERIOD};
static const uint32_t gut_period[GROUPS] = {PERIOD, 2 * PERIOD, 3 * PERIOD};

static inline void gut_note(const char *name)
{
    char text[32];

    (void)snprintf(text, sizeof text, "%s@%u", name, (unsigned)(hrlp_host_now() - sut_zero()));
    sut_note(text);
}

static inline void gut_high(void)
{
    gut_note("high");
}

static inline void gut_first_body(void)
{
    gut_note("first");
}

static inline void gut_second(void)
{
    hrl_counts once = gut_cost;

    gut_note("second");
    gut_cost = 0;
    hrlp_host_consume(once);
}

static inline struct hrli_line_groups_kind gut_kind(bool is_shared)
{
    return (struct hrli_line_groups_kind){
        .alone = HRLP_LINE_CONTROLLER ? 1u << lut_line_of(HIGH)->number : 0,
        .ahead = 1u << 12,
        .has_parts = true,
        .is_shared = is_shared};
}

/* Starts a periodic cell whose handler calls `serve`, which looks for what is due. */
static void (*gut_serve)(void);

static inline void gut_interrupt(void)
{
    gut_serve();
    if (!HRLP_LINE_CONTROLLER) {
        hrli_core_dispatch_after_interrupt();
    }
}

static inline void gut_start(void *argument)
{
    (void)argument;
    lut_start_cell(gut_interrupt, PERIOD);
}

static inline void gut_build(void (*serve)(void))
{
    static void (*const bodies[GROUPS])(void) = {gut_high, gut_first_body, gut_second};

    lut_reset();
    gut_cost = 0;
    gut_serve = serve;
    for (unsigned i = 0; i < GROUPS; i++) {
        lut_add(
            (struct lut_task){.level = i == HIGH ? 8 : 4, .alone = i == HIGH, .body = bodies[i]});
    }
    lut_build();
    for (unsigned i = 0, at = 0; i < GROUPS; i++) {
        const struct hrl_line *line = lut_line_of(i);

        gut_groups[i] = (struct hrli_line_group){
            .node = {.key = HRLI_LINE_TABLE_DUE(SUT_START_COUNTS + gut_first[i]),
                     .spare = {i == SECOND}},
            .period = {.counts = gut_period[i]},
            .raise = 1u << line->number,
            .parts = &gut_parts[at]};
        gut_parts[at++] = (struct hrli_line_part){NULL, {gut_groups[i].raise}};
        if (line->words != NULL) {
            gut_parts[at++] =
                (struct hrli_line_part){line->words, {0x80000000u >> lut_task(i)->rank}};
        }
        gut_parts[at] = (struct hrli_line_part){NULL, {0}};
    }
    sut_start("starter", 1, gut_start, NULL);
}

static inline void gut_mask(void)
{
    hrlp_irq_state state = hrlp_irq_lock();

    hrlp_host_consume(2500);
    hrlp_irq_unlock(state);
}

/* The same of every store: releases at their instants, overruns, lost interrupts. */
static inline void gut_check(void (*build)(bool is_shared))
{
    for (int i = 0; i < 2; i++) {
        build(i == 1);
        assert_string_equal(sut_run(8500), "done");
        assert_string_equal(sut_notes,
                            "high@1000 first@1000 high@2000 second@2000 high@3000 first@3000 "
                            "high@4000 high@5000 first@5000 second@5000 high@6000 "
                            "high@7000 first@7000 high@8000 second@8000 ");
    }
    build(false);
    gut_cost = 3500; /* from 2000 to 5500 */
    assert_string_equal(sut_run(6500), "done");
    assert_int_equal(hrl_basic_overruns(lut_task(SECOND)), 1); /* 5000 */
    assert_int_equal(hrl_basic_overruns(lut_task(FIRST)), 1);  /* 5000; that of 3000 waits */
    assert_string_equal(sut_notes, "high@1000 first@1000 high@2000 second@2000 high@3000 "
                                   "high@4000 high@5000 first@5500 high@6000 ");
    build(false);
    sut_interrupt_in(SUT_START_COUNTS + 1500, gut_mask);
    assert_string_equal(sut_run(4500), "done");
    assert_int_equal(hrl_basic_overruns(lut_task(HIGH)), 2); /* 2000, 3000 and 4000 are one */
    assert_string_equal(sut_notes, "high@1000 first@1000 high@4000 first@4000 second@4000 ");
}

#endif
