/*
 * SPDX-FileCopyrightText: 2026 The Horolog developers
 * SPDX-License-Identifier: 0BSD
 *
 * The task bodies of a battery monitor. The converter is a model of a line, so the program does the same in every run.
 */
#include <stdint.h>

/* The bodies, as system.toml names them. */
void read_cells(void);
void count_charge(void);
void balance_cells(void);
void write_report(void);

enum { CELLS = 12, NEARLY_EQUAL_MV = 5, UNIT_UAS = 1000 };

/* ---- what tasks share: single words, each written by one task -------------------------------- */

static volatile int32_t cell_mv[CELLS];  /* read_cells -> balance_cells, write_report */
static volatile int32_t charge_uas;      /* microampere seconds: count_charge -> write_report */
static volatile uint32_t balanced_cells; /* a bit each: balance_cells -> write_report */

/* For a bus, or a debugger. */
volatile uint8_t battery_report[2 * CELLS + 8];

/* The converter: cells drift apart, and those that are balanced come back. */
static int32_t converted(uint32_t step, unsigned cell)
{
    int32_t const drift = (int32_t)((step * (cell + 3U)) % 97U);

    return 3700 + drift - ((balanced_cells >> cell & 1U) != 0 ? 20 : 0);
}

void read_cells(void)
{
    static uint32_t step;

    step++;
    for (unsigned cell = 0; cell < CELLS; cell++) {
        cell_mv[cell] += (converted(step, cell) - cell_mv[cell]) / 4; /* smoothed */
    }
}

void count_charge(void)
{
    static uint32_t step;
    int32_t const ampere_milli = (int32_t)(step++ % 50U) * 40 - 900;

    charge_uas += ampere_milli * UNIT_UAS / 10; /* in a tenth of a second */
}

void balance_cells(void)
{
    int32_t lowest = cell_mv[0];
    uint32_t above = 0;

    for (unsigned cell = 1; cell < CELLS; cell++) {
        lowest = cell_mv[cell] < lowest ? cell_mv[cell] : lowest;
    }
    for (unsigned cell = 0; cell < CELLS; cell++) {
        above |= (uint32_t)(cell_mv[cell] > lowest + NEARLY_EQUAL_MV) << cell;
    }
    balanced_cells = above;
}

static void put(unsigned at, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        battery_report[at + i] = (uint8_t)(value >> 8U * i);
    }
}

void write_report(void)
{
    for (unsigned cell = 0; cell < CELLS; cell++) {
        put(2 * cell, (uint32_t)cell_mv[cell], 2);
    }
    put(2 * CELLS, (uint32_t)charge_uas, 4);
    put(2 * CELLS + 4, balanced_cells, 4);
}
