/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_avr_lines.h"
#include "hrlp_irq.h"
#include "hrlp_upcalls.h"
#include <avr/pgmspace.h>

/*
 * How each line is enabled, and its flag forgotten. Addresses are of data, below 256 on all chips that are known.
 */
#define NO_FLAG (*(volatile uint8_t *)0)
#define ADDRESS(reg) ((uint8_t)(uintptr_t) & (reg))

struct line {
    uint8_t enable, enable_bit, flag, flag_bit;
};

#define LINE(name, enable, enable_bit, flag, flag_bit)                                             \
    {ADDRESS(enable), 1u << (enable_bit), ADDRESS(flag), 1u << (flag_bit)},

static const struct line lines[] PROGMEM = {HRLP_AVR_LINES(LINE)};

/* vectors.S */
extern uint8_t hrlp_vectors[], hrlp_avr_first_line[];

static volatile uint8_t *reg(const uint8_t *address)
{
    return (volatile uint8_t *)(uintptr_t)pgm_read_byte(address);
}

static const struct line *row(int line)
{
    return &lines[line - 1];
}

void hrlp_avr_line_enable(int line)
{
    hrlp_irq_state state = hrlp_irq_lock();

    *reg(&row(line)->enable) |= pgm_read_byte(&row(line)->enable_bit);
    hrlp_irq_unlock(state);
}

void hrlp_avr_line_disable(int line)
{
    hrlp_irq_state state = hrlp_irq_lock();

    *reg(&row(line)->enable) &= (uint8_t)~pgm_read_byte(&row(line)->enable_bit);
    hrlp_irq_unlock(state);
}

/* A flag is cleared by writing 1 to it; a line without one falls with its cause. */
void hrlp_avr_line_clear(int line)
{
    if (pgm_read_byte(&row(line)->flag) != 0) {
        *reg(&row(line)->flag) = pgm_read_byte(&row(line)->flag_bit);
    }
}

/* Where the vector's jump leads: its second word is a word's address. */
bool hrlp_avr_line_is_free(int line)
{
    uint16_t to = pgm_read_word((uintptr_t)hrlp_vectors + 4u * (unsigned)line + 2u);

    return line != 0 && to == (uintptr_t)hrlp_avr_first_line / 2u + (unsigned)line - 1u;
}

/* Linked if the application attaches no handler. */
__attribute__((weak)) void hrli_interrupt_taken(int line)
{
    hrlp_irq_unhandled(line);
}
