/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The minimal application: one periodic basic task, which is its cell's interrupt, every 1 ms on
 * TIMER0. Written by hand as the tool emits it for mps2-an385. Its interrupt is more urgent than the
 * clock's handler, into which it comes with wrap_bodies.c.
 */
#include "basic_start.h"
#include "direct.h"
#include "hrlp_cmsdk_dualtimer.h"
#include "hrlp_cmsdk_timer.h"
#include "line_table.h"
#include <hrl/basic.h>
#include <hrl/kernel.h>

enum { FIRST = 25000, PERIOD = 25000 };

void hrl_gen_body_0(void);

static volatile uint32_t counts_0[1];
const struct hrl_line hrl_gen_line_0;
const struct hrl_basic hrl_gen_basic[] = {
    {hrl_gen_body_0, &hrl_gen_line_0, counts_0, "blink", 1, 0, false},
};
static const struct hrl_basic *const tasks_0[] = {&hrl_gen_basic[0]};
const struct hrl_line hrl_gen_line_0 = {tasks_0, NULL, NULL, 1, 8, HRLP_CMSDK_TIMER_LINE(0), true};
static const struct hrl_line *const lines[] = {&hrl_gen_line_0};
const struct hrli_lines hrl_gen_lines = {lines, 1};

/* Releaser 0: periodic, every 1 ms, on cell timer0: the interrupt is task 0. */
static void forget_0(void)
{
    hrlp_cmsdk_timer_forget(0u);
}

extern hrl_stamp due_0; /* wrap_bodies.c changes it */
hrl_stamp due_0;
static const struct hrli_direct direct_0 = {&due_0, PERIOD, &hrl_gen_basic[0], forget_0};

void TIMER0_Handler(void);
void TIMER0_Handler(void)
{
    hrlp_cmsdk_timer_acknowledge(0u);
    hrli_direct_interrupt(&direct_0, hrl_gen_body_0);
}

void DUALTIMER_Handler(void);
void DUALTIMER_Handler(void)
{
    if (hrlp_clock_wrap_pending()) {
        hrli_clock_interrupt(hrlp_cmsdk_dualtimer_acknowledge, 1u, hrli_basic_clock_wrapped);
    }
}

static inline void prepare(void)
{
    due_0 = HRLI_LINE_TABLE_DUE(FIRST);
    hrlp_cmsdk_timer_prepare_at(0u, 8u);
}

static inline void start(void)
{
    hrlp_cmsdk_timer_start_periodic(0u, FIRST, PERIOD);
}

HRLI_BASIC_START_DEFINE(prepare, start)

int main(void)
{
    hrl_start();
    return 1;
}
