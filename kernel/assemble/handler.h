/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_HANDLER_H
#define HRLI_HANDLER_H

#include "clock.h"
#include "hrlp_clock.h"
#include "hrlp_cpu.h"
#include "hrlp_upcalls.h"

/*
 * Interrupt handlers of cells and of the clock, at file scope, without a semicolon. The rest of the
 * line says what the handler serves, and what it does then:
 *
 *     HRLI_HANDLER(TIMER0_Handler, HRLI_ACKNOWLEDGE(hrlp_cmsdk_timer, 0u)
 *         HRLI_SERVE_PERIODIC(0, QUEUE, sorted_list) HRLI_DISPATCH)
 *     HRLI_HANDLER(DUALTIMER_Handler, HRLI_SERVE_CLOCK(hrlp_cmsdk_dualtimer, 1u, hrli_clock_wrapped)
 *         HRLI_IF_FIRED(hrlp_cmsdk_dualtimer, 0u, ...))
 */
#define HRLI_HANDLER(name, ...)                                                                    \
    HRLP_CPU_ENTRY(name)                                                                           \
    void name(void);                                                                               \
    void name(void)                                                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* The cell is channel `instance` of `device`, which begins the names of its driver's functions. */
#define HRLI_ACKNOWLEDGE(device, instance) device##_acknowledge(instance);

/* The same of a periodic cell with a handler that looks whether the next instant has passed (hrlp_cell.h). */
#define HRLI_ACKNOWLEDGE_NEXT(device, instance, period) device##_acknowledge_next(instance, period);

/* The same of a cell that is one-shot. */
#define HRLI_ACKNOWLEDGE_ONCE(device, instance) device##_acknowledge_once(instance);

/* What a cell does that shares its handler. */
#define HRLI_IF_FIRED(device, instance, ...)                                                       \
    if (device##_fired(instance)) {                                                                \
        __VA_ARGS__                                                                                \
    }

/* The clock's wrap; `wrapped` is the kernel's function for it. */
#define HRLI_SERVE_CLOCK(device, instance, wrapped)                                                \
    if (hrlp_clock_wrap_pending()) {                                                               \
        hrli_clock_interrupt(device##_acknowledge, instance, wrapped);                             \
    }

/* In start-up code: lets a cell's interrupt through, at the cells' priority or at `level`. */
#define HRLI_PREPARE_CELL(device, instance) device##_prepare(instance, HRLP_IRQ_OF_CELLS);
#define HRLI_PREPARE_CELL_AT(device, instance, level) device##_prepare_at(instance, level);

/* Threads that were made ready may run. */
#define HRLI_DISPATCH hrli_core_dispatch_after_interrupt();

#endif
