/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/alarm.h>
#include <hrl/kernel.h>
#include <hrl/thread.h>

/* Figure 12 of the paper: BENCH_THREADS threads of one priority, each of which waits for an alarm of its own. */
struct waiting {
    struct hrl_alarm alarm;
    hrl_counts first; /* behind the start */
    hrl_period period;
};

#define WAITING(ms)                                                                                \
    {                                                                                              \
        HRL_ALARM_INIT, HRL_MS(ms), HRL_PERIOD_MS(ms)                                              \
    }
static struct waiting waiting[] = {WAITING(10), WAITING(30),  WAITING(60),
                                   WAITING(90), WAITING(120), WAITING(150)};
static uint64_t stacks[BENCH_THREADS][20];

static void run(void *argument)
{
    struct waiting *own = argument;
    uint32_t expiries;

    for (;;) {
        (void)hrl_alarm_wait(&own->alarm, &expiries, HRL_FOREVER);
    }
}

/* All alarms begin at one instant. */
static void begin(void *argument)
{
    hrl_counts start = hrl_now() + HRL_MS(10);

    (void)argument;
    for (uint8_t i = 0; i < BENCH_THREADS; i++) {
        hrl_alarm_start_periodic(&waiting[i].alarm, start + waiting[i].first, waiting[i].period,
                                 HRL_ALARM_FOREVER);
    }
}

#define THREAD(n) HRL_THREAD_INIT("", run, &waiting[n], 1, stacks[(n) % BENCH_THREADS])
static struct hrl_thread threads[] = {THREAD(0), THREAD(1), THREAD(2),
                                      THREAD(3), THREAD(4), THREAD(5)};
HRL_THREAD_DEFINE(beginner, begin, 0, 2, 256);

int main(void)
{
    for (uint8_t i = 0; i < BENCH_THREADS; i++) {
        hrl_thread_start(&threads[i]);
    }
    hrl_thread_start(&beginner);
    hrl_start();
}
