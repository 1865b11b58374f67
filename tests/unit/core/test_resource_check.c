/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "lines_under_test.h"
#include "resource_check.h"
#include "with_cmocka.h"

static unsigned calls;

static void good(void)
{
    calls++;
}

static void masks(void)
{
    (void)hrlp_irq_lock();
}

static struct hrl_resource resource = {.ceiling = 1};

static void call_good(void)
{
    hrli_resource_checked(good);
}

static void call_masks(void)
{
    hrli_resource_checked(masks);
}

static void call_with_it_held_before(void)
{
    hrli_resource_check_end(&resource);
}

static void test_a_job_ends_as_it_began(void **state)
{
    (void)state;
    lut_reset();
    hrlp_irq_unlock(HRLP_IRQ_UNLOCKED);
    call_good();
    hrli_resource_held = &resource; /* of the interrupted task */
    call_good();
    assert_int_equal(calls, 2);
    hrli_resource_held = NULL;
    sut_call_to_assertion(call_with_it_held_before,
                          "the end of a basic task that holds a resource");
    sut_call_to_assertion(call_masks, "the end of a basic task with interrupts masked");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_job_ends_as_it_began),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
