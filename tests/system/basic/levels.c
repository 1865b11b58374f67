/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Six basic tasks on three levels, released by one cell every 1 ms. Written by hand as the tool
 * emits it for mps2-an385:
 *
 *   level 8   0 sample (1 ms), its own line
 *   level 7   1 control (2 ms), 2 filter (4 ms): one line
 *   level 6   3 log (8 ms), 4 report (8 ms, offset 4 ms, may end early), 5 blink (8 ms, limit 2)
 */
#include "basic_start.h"
#include "hrlp_cmsdk_dualtimer.h"
#include "hrlp_cmsdk_timer.h"
#include "line.h"
#include "line_table.h"
#include <hrl/basic.h>
#include <hrl/kernel.h>

enum { FIRST = 25000, PERIOD = 25000 };
enum { LINE_0 = 20, LINE_1 = 21, LINE_2 = 22 };

void hrl_gen_body_0(void);
void hrl_gen_body_1(void);
void hrl_gen_body_2(void);
void hrl_gen_body_3(void);
void hrl_gen_body_4(void);
void hrl_gen_body_5(void);

/* The tasks, in the order of the description. A word each, and another where the limit is above 1. */
static volatile uint32_t counts[7];
const struct hrl_line hrl_gen_line_0, hrl_gen_line_1, hrl_gen_line_2;
const struct hrl_basic hrl_gen_basic[] = {
    {hrl_gen_body_0, &hrl_gen_line_0, &counts[0], "sample", 1, 0, false},
    {hrl_gen_body_1, &hrl_gen_line_1, &counts[1], "control", 1, 0, false},
    {hrl_gen_body_2, &hrl_gen_line_1, &counts[2], "filter", 1, 1, false},
    {hrl_gen_body_3, &hrl_gen_line_2, &counts[3], "log", 1, 0, false},
    {hrl_gen_body_4, &hrl_gen_line_2, &counts[4], "report", 1, 1, true},
    {hrl_gen_body_5, &hrl_gen_line_2, &counts[5], "blink", 2, 2, false},
};

/* Line 0, level 8: sample. */
static const struct hrl_basic *const tasks_0[] = {&hrl_gen_basic[0]};
const struct hrl_line hrl_gen_line_0 = {tasks_0, NULL, NULL, 1, 8, LINE_0, false};

void UARTRX4_Handler(void);
void UARTRX4_Handler(void)
{
    hrli_line_serve_alone(hrl_gen_body_0);
}

/* Line 1, level 7: control, filter. */
static struct hrli_line_words words_1;
static const struct hrl_basic *const tasks_1[] = {&hrl_gen_basic[1], &hrl_gen_basic[2]};
static void (*const bodies_1[])(void) = {hrl_gen_body_1, hrl_gen_body_2};
const struct hrl_line hrl_gen_line_1 = {tasks_1, &words_1, NULL, 2, 7, LINE_1, false};

void UARTTX4_Handler(void);
void UARTTX4_Handler(void)
{
    hrli_line_serve(&words_1, bodies_1);
}

/* Line 2, level 6: log, report, blink. As one may end early, and one has a limit, in general. */
static struct hrli_line_words words_2;
static const struct hrl_basic *const tasks_2[] = {&hrl_gen_basic[3], &hrl_gen_basic[4],
                                                  &hrl_gen_basic[5]};
const struct hrl_line hrl_gen_line_2 = {tasks_2, &words_2, NULL, 3, 6, LINE_2, false};

void ADCSPI_Handler(void);
void ADCSPI_Handler(void)
{
    hrli_line_run(&hrl_gen_line_2);
}

/* The most urgent first. */
static const struct hrl_line *const lines[] = {&hrl_gen_line_0, &hrl_gen_line_1, &hrl_gen_line_2};
const struct hrli_lines hrl_gen_lines = {lines, 3};

/* Releaser 0: periodic, every 1 ms, on cell timer0, at level 8; lines of one task: ALONE. */
#define RAISE(line) (1u << (line))
enum { ALONE = RAISE(LINE_0) };
static HRLP_CONST struct hrli_line_row rows_0[];
static HRLP_CONST struct hrli_line_part parts_0[] = {
    /* 0: fast, control, filter, log, blink */
    {NULL, {RAISE(LINE_0) | RAISE(LINE_1) | RAISE(LINE_2)}},
    {&words_1, {0x80000000u | 0x40000000u}},
    {&words_2, {0x80000000u | 0x20000000u}},
    /* 3: fast */
    {NULL, {RAISE(LINE_0)}},
    /* 4: fast, control */
    {NULL, {RAISE(LINE_0) | RAISE(LINE_1)}},
    {&words_1, {0x80000000u}},
    /* 6: fast, control, filter, report */
    {NULL, {RAISE(LINE_0) | RAISE(LINE_1) | RAISE(LINE_2)}},
    {&words_1, {0x80000000u | 0x40000000u}},
    {&words_2, {0x40000000u}},
    /* 9: the end */
    {NULL, {.next = &rows_0[0]}},
};
static HRLP_CONST struct hrli_line_row rows_0[] = {
    {PERIOD, &parts_0[0]}, /* 0 ms */
    {PERIOD, &parts_0[3]}, {PERIOD, &parts_0[4]},
    {PERIOD, &parts_0[3]}, {PERIOD, &parts_0[6]}, /* 4 ms */
    {PERIOD, &parts_0[3]}, {PERIOD, &parts_0[4]},
    {PERIOD, &parts_0[3]}, {0, &parts_0[9]},
};
static struct hrli_line_table table_0 = {rows_0, HRLI_LINE_TABLE_DUE(FIRST)};

void TIMER0_Handler(void);
void TIMER0_Handler(void)
{
    hrlp_cmsdk_timer_acknowledge(0u);
    hrli_line_table_interrupt(&table_0, ALONE, false, 0x00008000u);
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
    hrlp_line_enable(LINE_0, 8u);
    hrlp_line_enable(LINE_1, 7u);
    hrlp_line_enable(LINE_2, 6u);
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
