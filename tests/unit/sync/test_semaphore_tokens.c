/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "semaphore_tokens.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/thread.h>

/* Many tokens at once: to threads that wait, and to none. */
static struct hrl_semaphore semaphore;

static void set_up(uint32_t count, uint32_t limit)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    semaphore = (struct hrl_semaphore){.count = count, .limit = limit};
}

static void take_one(void *argument)
{
    assert_int_equal(hrl_semaphore_take(&semaphore, HRL_FOREVER), HRL_OK);
    sut_note(argument);
}

static void give_tokens(void *tokens)
{
    hrli_semaphore_give_tokens(&semaphore, *(const uint32_t *)tokens);
    sut_note("given");
}

static void test_as_many_as_there_is_room_for(void **state)
{
    static const uint32_t counts[][4] = {/* before, limit, tokens, after */
                                         {0, 5, 1, 1},
                                         {0, 5, 5, 5},
                                         {2, 5, 9, 5},
                                         {5, 5, 1, 5},
                                         {1, UINT32_MAX, UINT32_MAX, UINT32_MAX}};

    (void)state;
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        uint32_t tokens = counts[i][2];

        set_up(counts[i][0], counts[i][1]);
        sut_start("giver", 1, give_tokens, &tokens);
        sut_run(1000);
        assert_int_equal(hrl_semaphore_count(&semaphore), counts[i][3]);
    }
}

static void test_first_to_the_waiters(void **state)
{
    static const char *const woken[] = {"", "b given ", "b a given ", "b a c given "};

    (void)state;
    for (uint32_t tokens = 1; tokens <= 5; tokens++) {
        set_up(0, 1);
        sut_start("a", 4, take_one, "a");
        sut_start("b", 5, take_one, "b");
        sut_start("c", 4, take_one, "c");
        sut_start("giver", 3, give_tokens, &tokens);
        sut_run(1000);
        assert_string_equal(sut_notes, woken[tokens < 3 ? tokens : 3]);
        assert_int_equal(hrl_semaphore_count(&semaphore), tokens > 3 ? 1 : 0);
    }
}

static void test_misuse_is_found(void **state)
{
    uint32_t tokens = 1;

    (void)state;
    set_up(0, 0);
    sut_start("wrong", 1, give_tokens, &tokens);
    sut_run_to_assertion(1000, "a semaphore that is not initialised");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_many_as_there_is_room_for),
        cmocka_unit_test(test_first_to_the_waiters),
        cmocka_unit_test(test_misuse_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
