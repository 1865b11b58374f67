/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_LINES_UNDER_TEST_H
#define SUPPORT_LINES_UNDER_TEST_H

#include "hrlp_line.h"
#include "system_under_test.h"
#include <hrl/basic.h>

/*
 * Basic tasks for a system under test, built at run time: on the machine's controller in builds
 * that have it (HRLP_LINE_CONTROLLER), served by threads in the others. Levels are 1 to
 * LUT_LEVELS, above all threads up to LUT_THREAD_LEVELS.
 *
 *     lut_reset();
 *     lut_add((struct lut_task){.level = 3, .body = first});
 *     lut_add((struct lut_task){.level = 3, .body = second});
 *     lut_build();
 *     sut_start("activator", 1, activate, NULL);
 *     sut_run(1000);
 */
enum { LUT_TASKS = 64, LUT_LEVELS = 8, LUT_THREAD_LEVELS = 20 };

struct lut_task {
    const char *name; /* NULL: "basic" */
    uint32_t level;   /* tasks of a level are added one behind another, by rank */
    uint32_t limit;   /* 0: 1 */
    bool may_end;
    bool alone; /* on a controller: it has a line without words */
    bool below; /* on a controller, too, a thread serves it, of level `level` */
    void (*body)(void);
};

/* sut_reset, and no tasks. */
void lut_reset(void);

/* Numbers count from 0. Those of higher levels come first. */
unsigned lut_add(struct lut_task task);

/* Makes lines of them, and starts those servers that they need; sut_run may follow. */
void lut_build(void);

/* Behind lut_build: `task` is its cell's interrupt from here on, which nothing else raises. */
void lut_give_to_cell(unsigned task);

const struct hrl_basic *lut_task(unsigned task);
const struct hrl_line *lut_line_of(unsigned task);

/* The tasks that hrl_basic_overrun_hook was called for, as often as it was. */
extern unsigned lut_overrun_hooks[LUT_TASKS];

/* What the hook does besides, unless it is NULL; lut_reset makes it so. */
extern void (*lut_on_overrun)(const struct hrl_basic *task);

/* Notes the name of the task that runs. A body. */
void lut_note_name(void);

/* The machine's first cell interrupts every `period` counts from there on. Context: a running system. */
void lut_start_cell(void (*handler)(void), uint32_t period);

#endif
