/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "alarm_under_test.h"
#include "random.h"

/*
 * Alarms, sleepers and interrupts at random: whenever one is stopped, it has expired as often as instants have
 * passed, but for one that is being served, and never early.
 */
enum { RANDOM_ALARMS = 12, LATE_EXPIRIES = 25 };
#define STOPPED 0xFFFFFFFFu /* random_alarms[i].times */
static struct random campaign;
static struct {
    struct hrl_alarm alarm;
    hrl_counts first, period;
    uint32_t times;
    uint64_t expired;
    bool busy; /* it is being stopped and started */
} random_alarms[RANDOM_ALARMS];
static unsigned starts, late;

static hrl_counts some_counts(void)
{
    return random_below(&campaign, 3);
}

static uint64_t passed_by(unsigned i, hrl_counts now)
{
    uint64_t passed;

    if (now < random_alarms[i].first) {
        return 0;
    }
    passed = (now - random_alarms[i].first) * 3 / random_alarms[i].period + 1;
    while (random_alarms[i].first + passed * random_alarms[i].period / 3 <= now) {
        passed++;
    }
    return random_alarms[i].times != 0 && passed > random_alarms[i].times ? random_alarms[i].times
                                                                          : passed;
}

static void start_at_random(unsigned i)
{
    hrl_counts now = hrl_now();

    random_alarms[i].first = now + random_below(&campaign, 6000) - (now > 9000 ? 2000 : 0);
    random_alarms[i].period = random_between(&campaign, 300, 6000); /* thirds of a count */
    random_alarms[i].times = random_below(&campaign, 5);
    random_alarms[i].expired = 0;
    starts++;
    hrl_alarm_start_periodic(&random_alarms[i].alarm, random_alarms[i].first,
                             HRL_PERIOD_RATIO(random_alarms[i].period, 3), random_alarms[i].times);
}

static void check_stopped(unsigned i)
{
    hrl_counts before = hrl_now();
    uint64_t expired;

    if (random_alarms[i].times == STOPPED) {
        assert_false(hrl_alarm_stop(&random_alarms[i].alarm));
        return;
    }
    (void)hrl_alarm_stop(&random_alarms[i].alarm);
    expired = random_alarms[i].expired;
    assert_true(expired <= passed_by(i, hrl_now() + HRLP_CELL_EARLY_COUNTS));
    assert_true(expired + LATE_EXPIRIES >= passed_by(i, before)); /* late, not lost */
    random_alarms[i].times = STOPPED;
}

static void restart_at_random(void)
{
    unsigned i = random_below(&campaign, RANDOM_ALARMS);

    if (!random_alarms[i].busy) {
        random_alarms[i].busy = true;
        check_stopped(i);
        if (random_below(&campaign, 3) != 0) {
            start_at_random(i);
        }
        random_alarms[i].busy = false;
    }
}

static void expire_at_random(void *argument, uint32_t expiries)
{
    unsigned i = (unsigned)(uintptr_t)argument;

    random_alarms[i].expired += expiries;
    late += expiries > 1;
    assert_int_not_equal(random_alarms[i].times, STOPPED);
    assert_true(random_alarms[i].expired <= passed_by(i, hrl_now() + HRLP_CELL_EARLY_COUNTS));
    assert_true(random_alarms[i].expired + LATE_EXPIRIES >= passed_by(i, hrl_now()));
    if (random_below(&campaign, 8) == 0) {
        restart_at_random();
    }
    hrlp_host_consume(random_below(&campaign, 20));
}

HRL_SEMAPHORE_DEFINE(woken, 0, 1);

static void wake_a_thread(void)
{
    (void)hrl_semaphore_give(&woken);
    sut_interrupt_in(random_between(&campaign, 20, 200), wake_a_thread);
}

static void live_at_random(void *argument)
{
    if (argument != NULL) {
        sut_interrupt_in(100, wake_a_thread);
    }
    for (;;) {
        hrlp_irq_state state;

        restart_at_random();
        (void)hrl_semaphore_take(&woken, hrl_now() + random_below(&campaign, 100));
        restart_at_random();
        state = hrlp_irq_lock();
        hrlp_host_consume(random_below(&campaign, 400));
        hrlp_irq_unlock(state);
        hrl_thread_sleep_for(random_below(&campaign, 700));
    }
}

static void test_at_random(void **state)
{
    (void)state;
    starts = late = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        set_up((struct sut_releaser){.one_shot = seed % 4 != 0, .cell_period = 100});
        campaign.state = seed;
        woken = (struct hrl_semaphore){.limit = 1};
        for (unsigned i = 0; i < RANDOM_ALARMS; i++) {
            define(&random_alarms[i].alarm, expire_at_random, (void *)(uintptr_t)i);
            random_alarms[i].times = STOPPED;
            random_alarms[i].expired = 0;
            random_alarms[i].first = HRL_FOREVER;
            random_alarms[i].busy = false;
        }
        hrlp_host_setup.clock_start = seed % 2 ? ((hrl_counts)1 << 32) - 60000 : 0;
        hrlp_host_setup.port_call_counts = some_counts;
        hrlp_host_setup.limit = 300000;
        sut_insert_counts = sut_remove_counts = seed % 3 ? some_counts : NULL;
        for (unsigned i = 0; i < 4; i++) {
            sut_start("random", 1 + i % 3, live_at_random, i == 0 ? &campaign : NULL);
        }
        (void)sut_run(200000);
    }
    assert_true(starts > 10000);
    assert_true(late > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
