/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "alarm.h"
#include "bench_chip.h"
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Figure 12 of the paper: BENCH_THREADS threads of one priority, each resumed by an alarm of its own, after which it
 * suspends itself again. Table 4 is about the interrupt, of which resuming is a part and switching is not. So a thread
 * here is what resuming needs, a place in the ready queue; and the main program takes one after the other out of it,
 * where the paper's system would switch to it.
 */
struct thread {
    struct thread *next;
    bool suspended;
};

struct wakening {
    struct alarm alarm; /* first, so that the alarm's handler finds the thread */
    struct thread thread;
};

static const uint32_t periods_us[] = {10000, 30000, 60000, 90000, 120000, 150000};
static struct wakening wakenings[BENCH_THREADS];
static struct thread *volatile ready;
static struct thread *last_ready;

/* Context: interrupts off. */
static void resume(struct alarm *alarm)
{
    struct thread *thread = &((struct wakening *)alarm)->thread;

    if (!thread->suspended) {
        return;
    }
    thread->suspended = false;
    thread->next = NULL;
    if (ready == NULL) {
        ready = thread;
    } else {
        last_ready->next = thread;
    }
    last_ready = thread;
}

int main(void)
{
    for (uint8_t i = 0; i < BENCH_THREADS; i++) {
        wakenings[i].thread.suspended = true;
        alarm_start(&wakenings[i].alarm, periods_us[i], ALARM_FOR_EVER, resume);
    }
    alarm_start_timer();
    sei();
    for (;;) {
        struct thread *thread;

        cli();
        thread = ready;
        if (thread != NULL) {
            ready = thread->next;
            thread->suspended = true;
        }
        sei();
        if (thread == NULL) {
            sleep_mode();
        }
    }
}
