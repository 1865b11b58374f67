/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * As ../notify/notify.c. FreeRTOS's ports for AVR start their tick before the first task runs, and leave an application no
 * other way. So it ticks until every task waits for its first notification; then the idle task stops it for good, and
 * starts the cell.
 */
#include "notify/notify.h"
#include <avr/interrupt.h>
#include <avr/io.h>

struct baseline_release baseline_releases[HRL_GEN_GROUPS];
struct baseline_release baseline_never = {.after = portMAX_DELAY};
struct baseline_release *baseline_first = &baseline_never;

void run_jobs(void *argument)
{
    const BASELINE_FLASH struct baseline_task *task =
        (const BASELINE_FLASH struct baseline_task *)argument;
    void (*const body)(void) = task->body;

#if HRL_GEN_RELEASES != 0 /* the loop without end is what is measured everywhere else */
    for (uint32_t left = HRL_GEN_RELEASES; left != 0; left--) {
        (void)ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
        body();
    }
    for (;;) {
        vTaskSuspend(NULL);
    }
#else
    for (;;) { /* a notification is one release, also behind an overrun */
        (void)ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
        body();
    }
#endif
}

#ifdef HRL_GEN_CELL_COUNTS /* periodic: no instant is read from the clock, so its wraps do not interrupt */
BASELINE_HANDLER(HRL_GEN_CLOCK_HANDLER) {}
#endif

/* The timer becomes what it is after a reset. */
static void stop_tick(void)
{
#ifdef portUSE_TIMER0
    TIMSK0 = 0;
    TCCR0B = 0;
#else
    TIMSK &= (uint8_t) ~(1u << OCIE1A);
    TCCR1B = 0;
    OCR1A = 0;
    TCNT1 = 0;
    TIFR = 1u << OCF1A | 1u << OCF1B | 1u << TOV1;
#endif
}

void baseline_before_idle(void)
{
    cli();
    stop_tick();
    for (uint8_t i = 0; i < HRL_GEN_GROUPS; i++) {
        const BASELINE_FLASH struct baseline_task *task = &baseline_tasks[i];

        baseline_releases[i] = (struct baseline_release){
            .period = task->period,
            .task = (TaskHandle_t)&baseline_control_blocks[i],
        };
        baseline_insert(&baseline_releases[i], baseline_start + task->offset);
    }
#ifdef HRL_GEN_CELL_COUNTS
    hrlp_clock_start();
#ifdef TIMSK1
    TIMSK1 = 0;
#else
    TIMSK &= (uint8_t) ~(1u << TOIE1);
#endif
#endif
    HRL_GEN_CELL(prepare)(HRL_GEN_CELL_CHANNEL, HRLP_IRQ_OF_CELLS);
    baseline_start_cell();
    sei();
}
