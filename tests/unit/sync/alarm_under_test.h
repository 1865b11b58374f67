/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ALARM_UNDER_TEST_H
#define ALARM_UNDER_TEST_H

#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/alarm.h>
#include <hrl/thread.h>

/* In virtual time. The alarm under test notes each call: when, and how many expiries it stands for. */
enum { CALLS = 64 };
static struct {
    hrl_counts at;
    uint32_t expiries;
} calls[CALLS];
static unsigned call_count;
static uint64_t expiry_count;

static inline void note_call(void *argument, uint32_t expiries)
{
    if (call_count < CALLS) {
        calls[call_count].at = hrl_now();
        calls[call_count].expiries = expiries;
    }
    call_count++;
    expiry_count += expiries;
    if (argument != NULL) {
        sut_note(argument);
    }
}

HRL_ALARM_DEFINE_CALL(alarm, note_call, NULL);

static inline void define(struct hrl_alarm *which, void (*function)(void *, uint32_t),
                          void *argument)
{
    HRL_ALARM_DEFINE_CALL(fresh, function, argument);

    *which = fresh;
}

static inline void set_up(struct sut_releaser releaser)
{
    sut_reset();
    releaser.timeouts = true;
    sut_add_releaser(releaser);
    define(&alarm, note_call, NULL);
    call_count = 0;
    expiry_count = 0;
}

static inline void set_up_one_shot(void)
{
    set_up((struct sut_releaser){.one_shot = true});
}

static inline void check_call(unsigned call, hrl_counts at, uint32_t expiries)
{
    assert_true(call < call_count);
    assert_int_equal(calls[call].at, at);
    assert_int_equal(calls[call].expiries, expiries);
}

static inline void run_thread(void (*entry)(void *argument), hrl_counts duration)
{
    sut_start("thread", 3, entry, NULL);
    (void)sut_run(duration);
}

#endif
