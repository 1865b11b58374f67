/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "with_cmocka.h"
#include <hrl/interrupt.h>

/*
 * The kernel's own text for a port with fewer priorities than the host's, whose software cannot
 * raise a line.
 */
#undef HRLP_IRQ_HIGHEST
#define HRLP_IRQ_HIGHEST HRL_INTERRUPT_KERNEL
#undef HRLP_IRQ_CAN_RAISE
#define HRLP_IRQ_CAN_RAISE false
#include "../../../kernel/interrupt/interrupt.c"

enum { LINE = HRLP_HOST_CLOCK_LINE + 1 };

static void test_priorities_that_the_port_lacks_are_refused(void **state)
{
    (void)state;
    for (uint32_t priority = HRL_INTERRUPT_LOWEST; priority <= HRL_INTERRUPT_HIGHEST; priority++) {
        assert_int_equal(hrl_interrupt_enable(LINE, priority),
                         priority <= HRL_INTERRUPT_KERNEL ? HRL_OK : HRL_UNSUPPORTED);
    }
    hrl_interrupt_disable(LINE);
}

static void test_a_line_that_cannot_be_raised_is_not_pending(void **state)
{
    (void)state;
    assert_int_equal(hrl_interrupt_raise(LINE), HRL_UNSUPPORTED);
    assert_false(hrlp_host_pending(LINE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_priorities_that_the_port_lacks_are_refused),
        cmocka_unit_test(test_a_line_that_cannot_be_raised_is_not_pending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
