/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_upcalls.h"
#include "lines_under_test.h"
#include "server.h"
#include "with_cmocka.h"
#include <hrl/semaphore.h>
#include <hrl/thread.h>

/* Lines that threads serve; on a controller those below some thread, reached by the doorbell. */

HRL_SEMAPHORE_DEFINE(semaphore, 0, 1);

static void note_basic(void)
{
    sut_note("basic");
}

static void note_other(void)
{
    sut_note("other");
}

static void note_high(void)
{
    sut_note("high");
}

enum { HIGH, BASIC, MATE };

static void build(void)
{
    lut_reset();
    semaphore = (struct hrl_semaphore){.limit = 1};
    lut_add((struct lut_task){.name = "high", .level = 3, .body = note_high});
    lut_add((struct lut_task){.name = "basic", .level = 5, .below = true, .body = note_basic});
    lut_add((struct lut_task){.name = "other", .level = 5, .below = true, .body = note_other});
    lut_build();
}

static void activate_all(void)
{
    const struct hrl_basic *const all[] = {lut_task(MATE), lut_task(BASIC), lut_task(HIGH)};

    (void)hrl_basic_activate_all(all, 3);
    sut_note("|");
}

static void activate(void *argument)
{
    (void)argument;
    activate_all();
}

static void test_threads_are_between_basic_tasks(void **state)
{
    (void)state;
    build();
    sut_start("above", 7, activate, NULL);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "high | basic other ");
    build();
    sut_start("below", 3, activate, NULL);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "high basic other | ");
}

static void give(void)
{
    (void)hrl_semaphore_give(&semaphore);
    sut_note("gave");
}

static void wait_for_it(void *argument)
{
    (void)argument;
    (void)hrl_semaphore_take(&semaphore, HRL_FOREVER);
    sut_note("thread");
}

static void test_a_thread_interrupts_a_basic_task_below_it(void **state)
{
    (void)state;
    lut_reset();
    semaphore = (struct hrl_semaphore){.limit = 1};
    lut_add((struct lut_task){.level = 3, .body = note_high});
    lut_add((struct lut_task){.level = 5, .below = true, .body = give});
    lut_add((struct lut_task){.level = 5, .below = true, .body = note_other});
    lut_build();
    sut_start("above", 7, wait_for_it, NULL);
    sut_start("below", 3, activate, NULL);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "high thread gave other | ");
}

static void test_the_task_that_runs_is_of_the_line_that_runs(void **state)
{
    (void)state;
    lut_reset();
    for (unsigned i = 0; i < 3; i++) {
        lut_add((struct lut_task){.name = i == 0   ? "first"
                                          : i == 1 ? "second"
                                                   : "third",
                                  .level = 5,
                                  .below = true,
                                  .alone = true,
                                  .body = lut_note_name});
    }
    lut_build();
    assert_ptr_equal(lut_line_of(0)->server, lut_line_of(1)->server);
    assert_int_equal(hrl_basic_activate(lut_task(1)), HRL_OK);
    assert_int_equal(hrl_basic_activate(lut_task(0)), HRL_OK);
    assert_int_equal(hrl_basic_activate(lut_task(2)), HRL_OK);
    sut_run(1000);
    assert_string_equal(sut_notes, "first second third ");
}

static void activate_high(void *argument)
{
    (void)argument;
    (void)hrl_basic_activate(lut_task(HIGH));
}

static void test_a_thread_has_releases_beside_them(void **state)
{
    (void)state;
    lut_reset();
    sut_add_releaser((struct sut_releaser){.cell_period = 1000});
    sut_add_task((struct sut_task){.level = 3, .period = sut_period(1000, 1), .cost = 10});
    lut_add((struct lut_task){.name = "high", .level = 3, .body = note_high});
    lut_build();
    sut_start("above", 7, activate_high, NULL);
    sut_run(5000);
    assert_int_equal(sut_count('S', 0), 5);
}

static void consume(void)
{
    sut_interrupt_in(10, activate_all);
    hrlp_host_consume(100);
    sut_note("consumed");
}

static void test_an_interrupt_leaves_the_order_as_it_is(void **state)
{
    (void)state;
    lut_reset();
    lut_add((struct lut_task){.level = 3, .body = note_high});
    lut_add((struct lut_task){.level = 5, .below = true, .body = consume});
    lut_add((struct lut_task){.level = 5, .below = true, .limit = 2, .body = note_other});
    lut_build();
    assert_int_equal(hrl_basic_activate(lut_task(BASIC)), HRL_OK);
    assert_int_equal(hrl_basic_activate(lut_task(MATE)), HRL_OK);
    sut_run(1000);
    assert_int_equal(hrl_basic_overruns(lut_task(BASIC)), 1);
}

static void activate_no_task(void *argument)
{
    (void)argument;
    hrli_server_ring();
    hrli_line_raised(0);
    hrli_line_settle();
    sut_note("still here");
}

static void test_ringing_for_no_task_does_no_harm(void **state)
{
    (void)state;
    build();
    hrli_line_settle(); /* before the start, too */
    sut_start("below", 3, activate_no_task, NULL);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "still here ");
}

/* The kernel's steps take time, and an interrupt comes at any of them. */

static hrl_counts a_count(void)
{
    return 1;
}

static unsigned mate_jobs;

static void count_mate(void)
{
    mate_jobs++;
}

static void activate_mate(void)
{
    (void)hrl_basic_activate(lut_task(MATE));
}

static hrl_counts delay;

static void activate_between(void *argument)
{
    (void)argument;
    sut_interrupt_in(delay, activate_mate);
    (void)hrl_basic_activate(lut_task(BASIC));
}

static void test_no_activation_is_lost(void **state)
{
    (void)state;
    for (delay = 1; delay < 120; delay++) {
        lut_reset();
        mate_jobs = 0;
        lut_add((struct lut_task){.level = 3, .body = note_high});
        lut_add((struct lut_task){.level = 5, .below = true, .body = note_basic});
        lut_add((struct lut_task){.level = 5, .below = true, .body = count_mate});
        lut_build();
        hrlp_host_setup.port_call_counts = a_count;
        sut_start("below", 3, activate_between, NULL);
        assert_string_equal(sut_run(10000), "done");
        assert_int_equal(mate_jobs, 1);
        assert_string_equal(sut_notes, "basic ");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_are_between_basic_tasks),
        cmocka_unit_test(test_a_thread_interrupts_a_basic_task_below_it),
        cmocka_unit_test(test_the_task_that_runs_is_of_the_line_that_runs),
        cmocka_unit_test(test_a_thread_has_releases_beside_them),
        cmocka_unit_test(test_an_interrupt_leaves_the_order_as_it_is),
        cmocka_unit_test(test_ringing_for_no_task_does_no_harm),
        cmocka_unit_test(test_no_activation_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
