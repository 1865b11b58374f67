/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASELINE_NOTIFY_H
#define BASELINE_NOTIFY_H

#include "baseline.h"
#include "hrl_gen_freertos_notify.h"
#include "hrlp_cell.h"

/*
 * What the cell's handler has of each of FreeRTOS's tasks: an element of a delta list, in the order of the next
 * releases. Times are those of struct baseline_task. Behind the last stands an element that is never due.
 */
struct baseline_release {
    struct baseline_release *next;
    TickType_t after; /* the element before it; of the first: from now on */
    TickType_t period;
    TaskHandle_t task;
};

extern struct baseline_release baseline_releases[HRL_GEN_GROUPS];
extern struct baseline_release baseline_never;
extern struct baseline_release *baseline_first;

/* The first release of a task with offset 0, in the times of struct baseline_task after the start. */
extern const TickType_t baseline_start;

/*
 * BASELINE_HANDLER(handler) { ... }: the handler of a cell, as the vector table knows it, which ends with
 * BASELINE_YIELD(whether to switch).
 */
#ifdef __AVR__
#include "avr/handler.h"
#else
#define BASELINE_HANDLER(handler)                                                                  \
    void handler(void);                                                                            \
    void handler(void)
#define BASELINE_YIELD(switches) portYIELD_FROM_ISR(switches)
#endif

/* Lets the cell interrupt from now on. Context: start-up, interrupts masked. */
void baseline_start_cell(void);

/* Puts `one` where it is due `left` from now on, before others of that instant. */
static inline void baseline_insert(struct baseline_release *one, TickType_t left)
{
    struct baseline_release **at = &baseline_first;

    while ((*at)->after < left) {
        left -= (*at)->after;
        at = &(*at)->next;
    }
    one->after = left;
    one->next = *at;
    (*at)->after -= left;
    *at = one;
    baseline_never.after = portMAX_DELAY;
}

/*
 * Releases the first task and all that are due with it. Returns whether FreeRTOS has to switch. Context: the
 * cell's handler, at the instant of the first.
 */
static inline BaseType_t baseline_release_due(void)
{
    BaseType_t switches = pdFALSE;
    struct baseline_release *due = baseline_first;
    struct baseline_release *end = due;

    do {
        vTaskNotifyGiveFromISR(end->task, &switches);
        end = end->next;
    } while (end->after == 0);
    baseline_first = end;
    while (due != end) {
        struct baseline_release *one = due;

        due = one->next;
        baseline_insert(one, one->period);
    }
    return switches;
}

#endif
