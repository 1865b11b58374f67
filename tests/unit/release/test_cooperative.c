/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cooperative.h"
#include "hrlp_irq.h"
#include "system_under_test.h"
#include "with_cmocka.h"

/* Releaser 0: a periodic cell; releaser 1: the one that cooperates. */
static void set_up(uint32_t cell_period, uint32_t span)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.cell_period = cell_period});
    sut_add_releaser((struct sut_releaser){.one_shot = true, .cooperates = true, .span = span});
}

static unsigned task(unsigned releaser, hrl_stamp offset, uint64_t period, hrl_counts cost)
{
    return sut_add_task((struct sut_task){.releaser = releaser,
                                          .level = 5 - releaser,
                                          .offset = offset,
                                          .period = sut_period(period, 1),
                                          .cost = cost});
}

static hrl_counts at(char kind, unsigned index, size_t n)
{
    return sut_nth(kind, index, n)->at - sut_zero();
}

static void test_a_shared_instant_is_the_partners(void **state)
{
    (void)state;
    set_up(1000, 0);
    task(0, 0, 1000, 10);
    task(1, 0, 500, 10);
    sut_run(10000);
    assert_int_equal(sut_count('I', 0), 10);
    assert_int_equal(sut_count('I', 1), 10); /* at 500, 1500, ... */
    assert_int_equal(sut_count('R', 1), 20);
    for (unsigned k = 0; k < 20; k++) {
        assert_int_equal(at('R', 1, k), 500 * k);
        assert_int_equal(at('V', 1, k), 500 * k);
    }
    for (unsigned k = 0; k < 10; k++) {
        assert_int_equal(at('I', 1, k), 500 + 1000 * k);
    }
}

static void test_all_instants_are_shared(void **state)
{
    (void)state;
    set_up(1000, 0);
    task(0, 0, 1000, 10);
    task(1, 3000, 2000, 10);
    sut_run(10000);
    assert_int_equal(sut_count('I', 1), 0);
    assert_int_equal(sut_count('R', 1), 4);
    assert_int_equal(at('R', 1, 0), 3000);
}

/* A partner that has no task, and one that comes first, and one that comes late. */
static void test_several_partners(void **state)
{
    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.cell_period = 3000});
    sut_add_releaser((struct sut_releaser){.cell_period = 2000});
    sut_add_releaser((struct sut_releaser){.one_shot = true, .cooperates = true});
    sut_add_task(
        (struct sut_task){.releaser = 2, .level = 1, .period = sut_period(1000, 1), .cost = 10});
    sut_run(12000);
    assert_int_equal(sut_count('R', 0), 12);
    assert_int_equal(sut_count('I', 2), 4); /* at 1000, 5000, 7000, 11000 */
    assert_int_equal(at('I', 2, 0), 1000);
    assert_int_equal(at('I', 2, 1), 5000);
    assert_int_equal(at('I', 2, 2), 7000);
    assert_int_equal(at('I', 2, 3), 11000);
}

/* The cell is armed for the first instant, then an earlier task is put in. */
static void test_an_earlier_one_is_put_in(void **state)
{
    (void)state;
    set_up(10000, 0);
    task(1, 5000, 10000, 10);
    task(1, 0, 3000, 1000); /* at 1000 put in for 3000 */
    sut_run(9000);
    assert_int_equal(at('R', 1, 1), 3000);
    assert_int_equal(at('R', 0, 0), 5000);
    assert_int_equal(at('R', 1, 2), 6000);
    assert_int_equal(sut_count('I', 1), 3);
}

/* A narrow cell reaches what lies far ahead in hops, if no partner comes before that. */
static void test_hops(void **state)
{
    (void)state;
    set_up(100000, 1000);
    task(1, 0, 5500, 10);
    sut_run(11000);
    assert_int_equal(at('R', 0, 1), 5500);
    assert_int_equal(sut_count('R', 0), 2);
    assert_int_equal(sut_count('I', 1), 11); /* ten hops from 0 and 10 on, and 5500 */
    set_up(1000, 100);
    task(1, 0, 5500, 10);
    sut_run(11000);
    assert_int_equal(at('R', 0, 1), 5500);
    assert_int_equal(sut_count('I', 1), 5); /* from the partner's at 5000 on */
}

static void masked_for_long(void)
{
    hrlp_irq_state state = hrlp_irq_lock();

    if (sut_count('S', 0) == 1) {
        hrlp_host_consume(3000);
    }
    hrlp_irq_unlock(state);
}

/* What has passed is armed for at once, with the widest of cells. */
static void test_what_passes_while_interrupts_are_masked(void **state)
{
    (void)state;
    set_up(5000, 0);
    sut_add_task((struct sut_task){
        .level = 5, .period = sut_period(5000, 1), .cost = 10, .body = masked_for_long});
    task(1, 100, 700, 10);
    sut_run(10000);
    assert_int_equal(at('R', 1, 0), 3000);
    assert_int_equal(sut_nth('R', 1, 0)->value - sut_zero(), 100);
    assert_int_equal(at('R', 1, 1), 3600);
    assert_int_equal(sut_periodic(1)->overruns, 4);
}

static hrl_counts walk_counts;

static hrl_counts a_walk(void)
{
    return walk_counts;
}

/*
 * A thread walks the partner's store when the partner is to serve both at 1000: what it leaves to the
 * thread includes the visit.
 */
static void test_a_walk_of_the_partners_store(void **state)
{
    (void)state;
    for (walk_counts = 0; walk_counts < 200; walk_counts += 10) {
        set_up(1000, 0);
        sut_insert_counts = a_walk;
        task(0, 0, 4000, 950);
        task(1, 1000, 4000, 10);
        sut_run(8000);
        assert_int_equal(at('R', 1, 0), walk_counts <= 50 ? 1000 : 950 + walk_counts);
        assert_int_equal(at('R', 1, 1), walk_counts <= 50 ? 5000 : 4950 + walk_counts);
        assert_int_equal(sut_count('I', 1), 0);
    }
}

static hrl_counts one_walk_at_960(void)
{
    return hrlp_host_now() == sut_zero() + 960 ? walk_counts : 0;
}

/* The same of its own store, when its own cell interrupts and the partner visits it. */
static void test_a_walk_of_its_own_store(void **state)
{
    (void)state;
    for (walk_counts = 0; walk_counts < 200; walk_counts += 10) {
        set_up(1000, 0);
        sut_insert_counts = one_walk_at_960;
        task(0, 0, 4000, 10);
        task(1, 0, 4000, 950);
        task(1, 1000, 4000, 10);
        task(1, 970, 4000, 10);
        sut_run(3000);
        assert_int_equal(at('R', 2, 0), walk_counts <= 40 ? 1000 : 960 + walk_counts);
        assert_int_equal(at('R', 3, 0), walk_counts <= 10 ? 970 : 960 + walk_counts);
        assert_int_equal(sut_count('R', 2), 1);
        assert_int_equal(sut_count('I', 1), 1);
    }
}

static void test_a_spurious_interrupt_does_nothing(void **state)
{
    (void)state;
    set_up(1000, 0);
    task(0, 0, 1000, 10);
    task(1, 500, 1000, 10);
    sut_run(3200);
    (void)hrlp_irq_lock(); /* as in a handler */
    sut_interrupt(1);
    sut_interrupt(0);
    assert_int_equal(sut_count('R', 1), 3);
    assert_int_equal(sut_count('V', 1), 3);
}

static void test_no_task_waits(void **state)
{
    (void)state;
    set_up(1000, 0);
    task(0, 0, 1000, 10);
    assert_string_equal(sut_run(5000), "done");
    assert_int_equal(sut_count('I', 1), 0);
    assert_int_equal(sut_count('I', 0), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_shared_instant_is_the_partners),
        cmocka_unit_test(test_all_instants_are_shared),
        cmocka_unit_test(test_several_partners),
        cmocka_unit_test(test_an_earlier_one_is_put_in),
        cmocka_unit_test(test_hops),
        cmocka_unit_test(test_what_passes_while_interrupts_are_masked),
        cmocka_unit_test(test_a_walk_of_the_partners_store),
        cmocka_unit_test(test_a_walk_of_its_own_store),
        cmocka_unit_test(test_a_spurious_interrupt_does_nothing),
        cmocka_unit_test(test_no_task_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
