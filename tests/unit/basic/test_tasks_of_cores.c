/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* Basic tasks of two cores, each on a line of its own: a core activates those of its own lines, and has resources. */
#include "descriptors.h"
#include "resource_check.h"
#include "system_under_test.h"
#include "two_cores.h"
#include "with_cmocka.h"
#include <hrl/basic.h>
#include <hrl/resource.h>

enum { LINE_NUMBER = 20 };
static volatile uint32_t counts[HRL_CORES][2];
static struct hrli_line_words words[HRL_CORES];
static const struct hrl_basic tasks[HRL_CORES];
static const struct hrl_basic *const tasks_of_line[HRL_CORES] = {&tasks[0], &tasks[1]};
static const struct hrl_line lines[HRL_CORES] = {
    {.tasks = &tasks_of_line[0],
     .words = &words[0],
     .count = 1,
     .priority = 3,
     .number = LINE_NUMBER},
    {.tasks = &tasks_of_line[1],
     .words = &words[1],
     .count = 1,
     .priority = 3,
     .number = LINE_NUMBER},
};
static const struct hrl_basic tasks[HRL_CORES] = {
    {.line = &lines[0], .counts = counts[0], .name = "of core 0", .limit = 1},
    {.line = &lines[1], .counts = counts[1], .name = "of core 1", .limit = 1},
};
static const struct hrl_line *const list[HRL_CORES] = {&lines[0], &lines[1]};
static const struct hrli_lines of_cores[HRL_CORES] = {{&list[0], 1}, {&list[1], 1}};

const struct hrli_lines hrl_gen_lines = {NULL, 0};
const struct hrli_lines *const hrl_gen_lines_of_cores[HRL_CORES] = {&of_cores[0], &of_cores[1]};

static void test_a_line_is_on_its_core(void **state)
{
    (void)state;
    for (unsigned core = 0; core < HRL_CORES; core++) {
        two_cores_number = core;
        assert_true(hrli_line_is_here(&lines[core]));
        assert_false(hrli_line_is_here(&lines[1 - core]));
    }
    two_cores_number = 0;
}

static void activate(void *which)
{
    (void)hrl_basic_activate(which);
}

static void test_a_task_of_another_core_is_not_activated(void **state)
{
    (void)state;
    sut_reset();
    sut_start("thread", 1, activate, (void *)(uintptr_t)&tasks[1]);
    sut_run_to_assertion(1000, "a basic task of another core cannot be activated");
    assert_int_equal(words[1].released, 0);
}

HRL_RESOURCE_DEFINE(resource, 2); /* below the lines, which have no servers */

static void use(void)
{
    hrl_resource_take(&resource);
    hrl_resource_give(&resource);
}

static void take(void)
{
    hrl_resource_take(&resource);
}

static void give(void)
{
    hrl_resource_give(&resource);
}

static void on_both(void *other_call)
{
    void (*call)(void) = other_call;

    if (call == give) {
        take();
    } else {
        use();
        use();
    }
    two_cores_number = 1;
    call();
}

static void test_a_resource_is_of_the_core_that_took_it_first(void **state)
{
    static const struct {
        void (*call)(void);
        const char *reason;
    } cases[] = {{take, "hrl_resource_take: a resource of another core"},
                 {give, "hrl_resource_give: a resource of another core"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        resource.home.owner = 0;
        sut_reset();
        sut_start("thread", 1, on_both, (void *)cases[i].call);
        sut_run_to_assertion(1000, cases[i].reason);
        assert_int_equal(resource.home.owner, 1);
        two_cores_number = 0;
        hrli_resource_held = NULL;
    }
}

int main(void)
{
    const struct CMUnitTest tests_of_both[] = {
        cmocka_unit_test(test_a_line_is_on_its_core),
        cmocka_unit_test(test_a_task_of_another_core_is_not_activated),
        cmocka_unit_test(test_a_resource_is_of_the_core_that_took_it_first),
    };
    return cmocka_run_group_tests(tests_of_both, NULL, NULL);
}
