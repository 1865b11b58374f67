/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_SYSTICK_CLOCK_REGISTERS_H
#define HRLP_SYSTICK_CLOCK_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The clock is SysTick (Armv7-M Architecture Reference Manual, B3.3), for chips without a timer that both counts 32
 * bits and can be read. It counts 24 bits down for ever; their complement counts up from 0. On going from 1 to 0,
 * where that complement wraps, it becomes pending, and its interrupt counts the wrap in `high`, above the 24 bits.
 *
 * While the interrupt is masked, ICSR.PENDSTSET says that a wrap has not been counted. No code may look between the
 * exception's entry, which clears that, and the counting: so nothing interrupts SysTick_Handler that may read the
 * clock. Its priority is that which the lock masks; in builds with basic tasks, where the lock masks everything and
 * tasks of every level read the clock, the highest. Handlers above the kernel's priority do not read the clock.
 *
 * The cells of a board with this clock are other timers: SysTick is a cell (ports/cell/systick) on boards with
 * another clock.
 */
struct hrlp_systick_clock_registers {
    volatile uint32_t control;
    volatile uint32_t reload;
    volatile uint32_t value;
};

#define HRLP_SYSTICK_CLOCK ((struct hrlp_systick_clock_registers *)0xE000E010u)
#define HRLP_SYSTICK_CLOCK_ICSR (*(volatile uint32_t *)0xE000ED04u)
#define HRLP_SYSTICK_CLOCK_IS_PENDING (1u << 26)

#define HRLP_SYSTICK_CLOCK_LINE (-1)
#define HRLP_SYSTICK_CLOCK_COUNTS (1u << 24)

struct hrlp_systick_clock {
    volatile uint32_t high;    /* wraps of 24 bits, times HRLP_SYSTICK_CLOCK_COUNTS */
    volatile uint32_t wrapped; /* whether `high` went through 0 and the kernel has not been told */
};

extern struct hrlp_systick_clock hrlp_systick_clock;

#endif
