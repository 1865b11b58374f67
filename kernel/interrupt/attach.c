/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "hrlp_irq.h"
#include "hrlp_per_core.h"
#include "hrlp_upcalls.h"
#include <hrl/interrupt.h>
#include <stddef.h>

/*
 * Handlers that are attached to lines at run time. In a file of its own: without
 * hrl_interrupt_attach neither the table nor the upcall is linked, and the port's vectors lead to
 * its fault handler.
 */
static HRLP_PER_CORE struct hrlp_irq_attached attached[HRLP_IRQ_LINES];

/* Where the row of number 0 would be, as an integer: it may lie before the table. */
static inline uintptr_t rows(void)
{
    return (uintptr_t)attached - HRLP_IRQ_FIRST_LINE * sizeof attached[0];
}

/* Apart, so that the way to a handler keeps nothing but the row. */
static __attribute__((noinline)) void report_unhandled(uintptr_t row)
{
    hrlp_irq_unhandled((int)((row - rows()) / sizeof attached[0]) - HRLP_IRQ_FIRST_LINE);
}

/*
 * Every call that wakes a thread asks for the dispatch itself, so that nothing is to be done after
 * the handler, and nothing depends on whether it may call the kernel.
 */
void hrli_interrupt_taken(int number)
{
    uintptr_t row = rows() + (unsigned)number * sizeof attached[0];
    struct hrlp_irq_attached it = hrlp_irq_load((const struct hrlp_irq_attached *)row);

    if (it.handler != NULL) {
        it.handler(it.argument);
    } else {
        report_unhandled(row);
    }
}

/* The line is disabled, so no interrupt reads its entry. */
void hrl_interrupt_attach(uint32_t line, void (*handler)(void *argument), void *argument)
{
    HRLI_CHECK(line < HRLP_IRQ_LINES, "an interrupt line that does not exist");
    HRLI_CHECK(handler != NULL, "hrl_interrupt_attach: handler is NULL");
    HRLI_CHECK(hrlp_irq_is_free((int)line),
               "hrl_interrupt_attach: the line's handler is defined by name");
    HRLI_CHECK(attached[line].handler == NULL,
               "hrl_interrupt_attach: the line has a handler already");
    attached[line].argument = argument;
    attached[line].handler = handler;
}

void hrl_interrupt_detach(uint32_t line)
{
    hrl_interrupt_disable(line);
    attached[line].handler = NULL;
}
