/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_LINE_ARCH_H
#define HRLP_LINE_ARCH_H

#include "hrlp_cpu.h"
#include <stdint.h>

/*
 * A prioritised interrupt controller in software (software_lines.c), as the chip has none: lines 0 to 15, and levels
 * 1 to 15. A line of a higher level has a greater number; among the lines of a level the greatest comes first.
 * The handler of line n is Line<n>_Handler. It runs on the main stack, with interrupts enabled, from where a
 * line is raised with interrupts enabled, from the end of the lock, or from the end of an interrupt.
 */
#define HRLP_LINE_CONTROLLER true
#define HRLP_LINE_LEVELS 15u
#define HRLP_AVR_SOFTWARE_LINES 16u

/* All but `floor` change with interrupts masked. */
struct hrlp_avr_lines {
    volatile uint16_t pending;
    volatile uint16_t active; /* their handlers have begun and not ended */
    volatile uint8_t
        floor; /* the least line that is not held off; 0: threads may be switched, too */
    uint8_t above[HRLP_AVR_SOFTWARE_LINES];  /* of a line, 1 + the greatest one of its level */
    uint8_t levels[HRLP_AVR_SOFTWARE_LINES]; /* of a line; 0: it is not enabled */
};

extern struct hrlp_avr_lines hrlp_avr_lines;

/* Context: start-up. */
void hrlp_avr_line_enable_at(unsigned line, unsigned level);

/* 1 + the greatest line of the levels up to `level`; at least 1. */
uint8_t hrlp_avr_lines_up_to(unsigned level);

/* Of a line that is a constant. */
static inline void hrlp_line_enable(int line, unsigned level)
{
    hrlp_avr_line_enable_at((unsigned)line, level);
}

/* hrlp_line_raise and hrlp_line_open with interrupts masked, as in handlers of cells. */
static inline __attribute__((always_inline)) void hrlp_line_raise_masked(uint16_t set)
{
    hrlp_avr_lines.pending |= set;
    hrlp_avr_owes |= HRLP_AVR_OWES_LINES;
}

static inline __attribute__((always_inline)) uint16_t hrlp_line_open_masked(void)
{
    return hrlp_avr_lines.pending | hrlp_avr_lines.active;
}

static inline __attribute__((always_inline)) void hrlp_line_raise(uint32_t set)
{
    if (hrlp_avr_is_open()) {
        __asm__ volatile("cli" : : : "memory");
        hrlp_line_raise_masked((uint16_t)set);
        hrlp_avr_switch_here();
    } else {
        hrlp_line_raise_masked((uint16_t)set);
    }
}

/*
 * hrlp_line_raise_masked for a line of one task with that handler. If nothing is held off and no line is pending, the handler runs
 * within this, with interrupts enabled.
 */
static inline __attribute__((always_inline)) void hrlp_line_serve_masked(unsigned line,
                                                                         void (*handler)(void))
{
    const uint16_t bit = (uint16_t)(1u << line);
    uint8_t before = hrlp_avr_lines.floor;

    if (hrlp_avr_lines.pending != 0 || before > line) {
        hrlp_line_raise_masked(bit);
        return;
    }
    hrlp_avr_lines.active |= bit;
    hrlp_avr_lines.floor = hrlp_avr_lines.above[line];
    __asm__ volatile("sei" : : : "memory");
    handler();
    __asm__ volatile("cli" : : : "memory");
    hrlp_avr_lines.active &= (uint16_t)~bit;
    hrlp_avr_lines.floor = before;
    if (hrlp_avr_lines.pending != 0) {
        hrlp_avr_owes |= HRLP_AVR_OWES_LINES;
    }
}

/* Raising has taken it. */
static inline void hrlp_line_settle(void) {}

static inline uint32_t hrlp_line_open(void)
{
    uint8_t status = SREG;
    uint16_t open;

    __asm__ volatile("cli" : : : "memory");
    open = hrlp_line_open_masked();
    SREG = status;
    __asm__ volatile("" : : : "memory");
    return open;
}

static inline bool hrlp_line_is_active(int line)
{
    return (hrlp_avr_lines.active >> line & 1u) != 0;
}

static inline uint32_t hrlp_line_ceiling(void)
{
    return hrlp_avr_lines.floor;
}

static inline uint32_t hrlp_line_raise_ceiling(unsigned level)
{
    uint8_t before = hrlp_avr_lines.floor;
    uint8_t ceiling = hrlp_avr_lines_up_to(level);

    if (ceiling > before) {
        hrlp_avr_lines.floor = ceiling;
    }
    __asm__ volatile("" : : : "memory"); /* what it holds lines off from comes behind it */
    return before;
}

/* What has been raised meanwhile comes now, and a switch that was asked for. */
static inline void hrlp_line_restore_ceiling(uint32_t before)
{
    __asm__ volatile("" : : : "memory");
    hrlp_avr_lines.floor = (uint8_t)before;
    if (hrlp_avr_lines.pending != 0 && hrlp_avr_is_open()) {
        __asm__ volatile("cli" : : : "memory");
        hrlp_avr_owes |= HRLP_AVR_OWES_LINES;
        hrlp_avr_switch_here();
    } else if (hrlp_avr_lines.pending != 0) {
        hrlp_avr_owes |= HRLP_AVR_OWES_LINES;
    } else if (hrlp_avr_owes != 0 && hrlp_avr_is_open()) {
        __asm__ volatile("cli" : : : "memory");
        hrlp_avr_switch_here();
    }
}

#endif
