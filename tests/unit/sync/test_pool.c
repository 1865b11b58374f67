/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/pool.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <string.h>

HRL_POOL_DEFINE(pool, 20, 3);

static void set_up(void)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    pool.waiters.first = NULL;
    pool.free = NULL;
    pool.fresh = pool.blocks;
}

static void use_alone(void *argument)
{
    void *blocks[3], *none = NULL;

    (void)argument;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3; i++) {
            assert_int_equal(hrl_pool_take(&pool, &blocks[i], HRL_NO_WAIT), HRL_OK);
            assert_int_equal((uintptr_t)blocks[i] % 8, 0);
            memset(blocks[i], i, 20);
        }
        assert_int_equal(hrl_pool_take(&pool, &none, HRL_NO_WAIT), HRL_WOULD_WAIT);
        assert_int_equal(hrl_pool_take(&pool, &none, hrl_now() + 10), HRL_TIMED_OUT);
        assert_null(none);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(((char *)blocks[i])[0], i);
            assert_int_equal(((char *)blocks[i])[19], i);
        }
        hrl_pool_give(&pool, blocks[round]);
        hrl_pool_give(&pool, blocks[(round + 1) % 3]);
        hrl_pool_give(&pool, blocks[(round + 2) % 3]);
    }
    sut_note("end");
}

static void test_blocks_do_not_overlap(void **state)
{
    (void)state;
    assert_int_equal(pool.block_bytes, 24);
    assert_int_equal((char *)pool.end - (char *)pool.blocks, 72);
    set_up();
    sut_start("alone", 1, use_alone, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "end ");
}

static void *handed[2];

static void take_one(void *argument)
{
    void *block = NULL;

    assert_int_equal(hrl_pool_take(&pool, &block, hrl_now() + 5000), HRL_OK);
    assert_ptr_equal(block, handed[argument == NULL ? 0 : 1]);
    sut_note(argument == NULL ? "high" : "low");
}

static void give_from_interrupt(void)
{
    hrl_pool_give(&pool, handed[0]);
    hrl_pool_give(&pool, handed[1]);
    sut_note("given");
}

static void take_all_and_give(void *argument)
{
    void *third = NULL;

    (void)argument;
    (void)hrl_pool_take(&pool, &handed[0], HRL_FOREVER);
    (void)hrl_pool_take(&pool, &handed[1], HRL_FOREVER);
    (void)hrl_pool_take(&pool, &third, HRL_FOREVER);
    hrl_thread_set_priority(hrl_thread_current(), 1);
    sut_interrupt_in(100, give_from_interrupt);
    hrlp_host_consume(500);
}

static void test_blocks_go_to_the_waiters(void **state)
{
    (void)state;
    set_up();
    sut_start("all", 9, take_all_and_give, NULL);
    sut_start("low", 2, take_one, handed);
    sut_start("high", 3, take_one, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "given high low ");
}

static void give_wrong(void *argument)
{
    void *block = NULL;

    (void)hrl_pool_take(&pool, &block, HRL_NO_WAIT);
    hrl_pool_give(&pool, argument == NULL ? (char *)block + 8 : argument);
}

static void test_bad_frees_are_found(void **state)
{
    void *const wrong[] = {NULL, set_up, (char *)pool.blocks + 24, (char *)pool.blocks - 24};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        set_up();
        sut_start("wrong", 1, give_wrong, wrong[i]);
        sut_run_to_assertion(1000, "hrl_pool_give: the address is not a block of this pool");
    }
}

static void give_twice(void *argument)
{
    void *blocks[3];

    (void)argument;
    for (int i = 0; i < 3; i++) {
        (void)hrl_pool_take(&pool, &blocks[i], HRL_NO_WAIT);
    }
    hrl_pool_give(&pool, blocks[0]);
    hrl_pool_give(&pool, blocks[2]);
    hrl_pool_give(&pool, blocks[0]);
}

static void test_a_block_given_twice_is_found(void **state)
{
    (void)state;
    set_up();
    sut_start("wrong", 1, give_twice, NULL);
    sut_run_to_assertion(1000, "hrl_pool_give: the block was given back before");
}

/* All that the block held while it was free, the mark included, which alone is no proof. */
static void write_what_was_there(void *argument)
{
    char as_free[24];
    void *block, *again;

    (void)argument;
    (void)hrl_pool_take(&pool, &block, HRL_NO_WAIT);
    hrl_pool_give(&pool, block);
    memcpy(as_free, block, sizeof as_free);
    (void)hrl_pool_take(&pool, &again, HRL_NO_WAIT);
    assert_ptr_equal(again, block);
    assert_memory_not_equal(block, as_free, sizeof as_free); /* no untouched block looks free */
    memcpy(block, as_free, sizeof as_free);
    hrl_pool_give(&pool, block);
    sut_note("end");
}

static void test_what_only_looks_free_may_be_given(void **state)
{
    (void)state;
    set_up();
    sut_start("writes", 1, write_what_was_there, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "end ");
}

static struct hrl_pool zero;

static void take_from_zero(void *argument)
{
    void *block;

    (void)argument;
    (void)hrl_pool_take(&zero, &block, HRL_NO_WAIT);
}

static void test_a_pool_of_zeros_is_found(void **state)
{
    (void)state;
    set_up();
    sut_start("wrong", 1, take_from_zero, NULL);
    sut_run_to_assertion(1000, "a pool that is not initialised");
}

HRL_POOL_DEFINE(small, 1, 2);

static void test_small_blocks_have_room_for_link_and_mark(void **state)
{
    (void)state;
    assert_int_equal(small.block_bytes, 2 * sizeof(void *));
}

/* No block is with two, whatever falls between any two steps. */
static struct random campaign;
static unsigned taken;
static char with[3];

static hrl_counts some_counts(void)
{
    return random_below(&campaign, 3);
}

static unsigned number(const void *block)
{
    return (unsigned)(((const char *)block - (char *)pool.blocks) / 24);
}

static void use_from_interrupt(void)
{
    static void *block;

    if (block != NULL && sut_notes[0] == 'x') {
        with[number(block)] = 0;
        hrl_pool_give(&pool, block);
        block = NULL;
        sut_notes[0] = '\0';
    } else if (hrl_pool_take(&pool, &block, HRL_NO_WAIT) == HRL_OK) {
        assert_int_equal(with[number(block)], 0);
        with[number(block)] = 1;
        sut_notes[0] = 'x';
    }
    sut_interrupt_in(random_between(&campaign, 50, 400), use_from_interrupt);
}

static void use_at_random(void *argument)
{
    if (argument != NULL) {
        sut_interrupt_in(10, use_from_interrupt);
    }
    for (;;) {
        void *block = NULL;

        if (hrl_pool_take(&pool, &block, hrl_now() + random_below(&campaign, 400)) == HRL_OK) {
            assert_int_equal(with[number(block)], 0);
            with[number(block)] = 1;
            taken++;
            hrl_thread_sleep_for(random_below(&campaign, 100));
            with[number(block)] = 0;
            hrl_pool_give(&pool, block);
        }
    }
}

static void test_random_use(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        set_up();
        campaign.state = seed;
        taken = 0;
        memset(with, 0, sizeof with);
        hrlp_host_setup.port_call_counts = some_counts;
        hrlp_host_setup.limit = 300000;
        for (unsigned i = 0; i < 7; i++) {
            sut_start("user", random_between(&campaign, 1, 4), use_at_random, i == 0 ? with : NULL);
        }
        (void)sut_run(200000);
        assert_true(taken > 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_do_not_overlap),
        cmocka_unit_test(test_blocks_go_to_the_waiters),
        cmocka_unit_test(test_bad_frees_are_found),
        cmocka_unit_test(test_a_block_given_twice_is_found),
        cmocka_unit_test(test_what_only_looks_free_may_be_given),
        cmocka_unit_test(test_a_pool_of_zeros_is_found),
        cmocka_unit_test(test_small_blocks_have_room_for_link_and_mark),
        cmocka_unit_test(test_random_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
