/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "release_wait.h"
#include "system_under_test.h"
#include "with_cmocka.h"

enum { JOBS = 4, PERIOD = 1000 };

static struct {
    hrl_stamp from;
    uint32_t span;
    hrl_counts at;
} asked[JOBS];
static unsigned count;
static hrl_counts lateness; /* of the second job */
static uint32_t skipped[JOBS];

static bool noted(struct hrli_periodic_thread *self, hrl_stamp from, uint32_t span)
{
    struct hrli_releaser *releaser = self->waiter.releaser;

    if (count < JOBS) {
        asked[count].from = from;
        asked[count].span = span;
        asked[count].at = hrlp_host_now() - sut_zero();
    }
    assert_int_equal(hrli_core.threshold, HRL_PRIORITIES); /* dispatch is held off */
    assert_int_equal(self->waiter.node.key, (hrl_stamp)(from + span));
    return releaser->calls->enqueue(releaser, &self->waiter, from, span);
}

/* Its jobs end by the wait itself. */
static void jobs(void)
{
    struct hrli_periodic_thread *self = (struct hrli_periodic_thread *)hrli_core.running;

    if (count != 0) {
        return;
    }
    for (; count < JOBS; count++) {
        hrlp_host_consume(count == 1 ? 10 + lateness : 10);
        skipped[count] = hrli_release_wait(self, noted, NULL);
    }
}

static void run(hrl_counts late, bool one_shot, uint32_t parts)
{
    sut_reset();
    count = 0;
    sut_add_releaser((struct sut_releaser){.one_shot = one_shot, .cell_period = PERIOD});
    sut_add_task(
        (struct sut_task){.level = 3,
                          .period = sut_period((uint64_t)PERIOD * parts + parts - 1, parts),
                          .body = jobs});
    lateness = late;
    sut_run((hrl_counts)10 * PERIOD);
    assert_int_equal(count, JOBS);
}

static void test_it_enqueues_for_one_step_after_the_last_release(void **state)
{
    (void)state;
    for (int one_shot = 0; one_shot < 2; one_shot++) {
        run(0, one_shot != 0, 1);
        for (unsigned k = 0; k < JOBS; k++) {
            assert_int_equal(asked[k].from, (hrl_stamp)(sut_zero() + (hrl_counts)k * PERIOD));
            assert_int_equal(asked[k].span, PERIOD);
            assert_int_equal(asked[k].at, (hrl_counts)k * PERIOD + 10);
            assert_int_equal(skipped[k], 0);
        }
    }
}

static void test_a_fraction_of_a_count_adds_up(void **state)
{
    hrl_stamp from;

    (void)state;
    run(0, true, 3); /* PERIOD and two thirds: steps of PERIOD + 0, 1, 1 */
    from = asked[0].from;
    for (unsigned k = 0; k < JOBS; k++) {
        assert_int_equal(asked[k].from, from);
        assert_int_equal(asked[k].span, PERIOD + (k % 3 != 0));
        from += asked[k].span;
    }
}

static void test_a_late_thread_goes_on_slowly(void **state)
{
    (void)state;
    for (int one_shot = 0; one_shot < 2; one_shot++) {
        run(2 * PERIOD, one_shot != 0, 1);
        assert_int_equal(skipped[0], 0);
        assert_int_equal(skipped[1], 2);
        assert_int_equal(skipped[2], 0);
        assert_int_equal(hrl_thread_overruns(sut_thread(0)), 2);
        assert_int_equal(asked[1].at,
                         PERIOD + 10 + lateness); /* refused; the next wait asks the clock */
    }
}

/* Where an instant may be served as early as a period before, the whole clock decides. */
static void test_a_period_of_two_counts(void **state)
{
    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true});
    sut_add_task((struct sut_task){.level = 1, .period = sut_period(2, 1), .cost = 1});
    assert_string_equal(sut_run(20), "done");
    assert_int_equal(sut_periodic(0)->waiter.step, 0);
    assert_int_equal(sut_periodic(0)->waiter.parts, 0);
    assert_int_equal(sut_count('S', 0) + hrl_thread_overruns(sut_thread(0)), 10);
}

/* The loop itself is that of every thread under test that waits in a list. */
static void test_the_loop_of_jobs(void **state)
{
    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true});
    sut_add_task((struct sut_task){.level = 1, .period = sut_period(PERIOD, 1), .cost = 10});
    assert_string_equal(sut_run((hrl_counts)5 * PERIOD), "done");
    assert_non_null(sut_releaser_of(0)->calls->run);
    assert_int_equal(sut_count('S', 0), 5);
    assert_int_equal(sut_count('E', 0), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_enqueues_for_one_step_after_the_last_release),
        cmocka_unit_test(test_a_fraction_of_a_count_adds_up),
        cmocka_unit_test(test_a_late_thread_goes_on_slowly),
        cmocka_unit_test(test_a_period_of_two_counts),
        cmocka_unit_test(test_the_loop_of_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
