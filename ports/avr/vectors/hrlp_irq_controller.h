/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_CONTROLLER_H
#define HRLP_IRQ_CONTROLLER_H

#include <avr/interrupt.h>
#include <avr/io.h>

/*
 * There is no interrupt controller: lines are the vectors of the chip by their numbers, 0 is reset. Each is
 * enabled by a bit of its device, the lowest number comes first, and handlers do not interrupt each other.
 */
#define HRLP_IRQ_LINES (_VECTORS_SIZE / 4)
#define HRLP_IRQ_NESTS false
#define HRLP_IRQ_ORDERS false
#define HRLP_IRQ_CAN_RAISE false

/* lines.c. */
void hrlp_avr_line_enable(int line);
void hrlp_avr_line_disable(int line);
void hrlp_avr_line_clear(int line);
bool hrlp_avr_line_is_free(int line);

static inline void hrlp_irq_enable_at(int line, unsigned priority)
{
    (void)priority;
    hrlp_avr_line_enable(line);
}

static inline void hrlp_irq_disable(int line)
{
    hrlp_avr_line_disable(line);
}

static inline void hrlp_irq_clear(int line)
{
    hrlp_avr_line_clear(line);
}

/* Only a device can. */
static inline void hrlp_irq_raise(int line)
{
    (void)line;
    __builtin_trap();
}

static inline bool hrlp_irq_is_free(int line)
{
    return hrlp_avr_line_is_free(line);
}

#endif
