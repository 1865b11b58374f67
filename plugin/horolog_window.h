/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef HOROLOG_WINDOW_H
#define HOROLOG_WINDOW_H

/*
 * Which interrupts and which instants that releasers serve are inside the window, and when it is over; of
 * horolog_probe.c, which describes the lines that are read here. Times are nanoseconds since the window opened.
 *
 * An interrupt is inside if it enters before its CUT, or if the releaser of the cell that raises it
 * has not served all instants of the window: then it is late for one of them. The first N instants
 * that a releaser serves are those of the window. What it serves beyond them is counted if it comes
 * before the CUT, or first behind an interrupt that is inside: it is one too many.
 */
#include "horolog_plugin.h"

enum { NO_ROW = 1 << 30 }; /* far from every other */

static struct interrupt_site {
    uint64_t address, cut_ns;
    uint64_t taken;
    bool fresh; /* entered inside the window, and has served nothing yet */
} * interrupts;
static struct releaser {
    uint64_t address;
    uint64_t rows; /* how many; 0: it has no table, and `address` is stored to */
    bool ahead;
    size_t row; /* the one that is being served, or with `ahead` the one to come */
    uint64_t interrupt, instants, served;
} * releasers;
static size_t interrupt_count, releaser_count;
static uint64_t end_ns, late_ns;

/*
 * Whether the releaser of the cell that raises interrupt `index` is still to serve instants of the
 * window.
 */
static bool window_awaits(size_t index)
{
    for (size_t i = 0; i < releaser_count; i++) {
        if (releasers[i].interrupt == index && releasers[i].served < releasers[i].instants) {
            return true;
        }
    }
    return false;
}

/* Interrupt `index` has entered. Returns whether that is inside. */
static bool window_enter(size_t index, uint64_t now)
{
    struct interrupt_site *interrupt = &interrupts[index];

    interrupt->fresh = now < interrupt->cut_ns || window_awaits(index);
    interrupt->taken += interrupt->fresh;
    return interrupt->fresh;
}

/* The window is over when all that is due in it was served. What is not served soon never is. */
static bool window_is_over(uint64_t now)
{
    if (now < end_ns) {
        return false;
    }
    for (size_t i = 0; i < interrupt_count && now < late_ns; i++) {
        if (releaser_count == 0 || window_awaits(i)) {
            return false;
        }
    }
    return true;
}

static void window_serve(struct releaser *releaser, uint64_t now)
{
    struct interrupt_site *by = &interrupts[releaser->interrupt];

    releaser->served +=
        releaser->served < releaser->instants || by->fresh || now < by->cut_ns ? 1 : 0;
    by->fresh = false;
}

/* A word of a releaser's table is loaded, `offset` bytes from its begin. */
static void window_load_row(struct releaser *releaser, uint64_t offset, uint64_t now)
{
    size_t row = (size_t)(offset / 8);
    bool is_first = offset % 8 == 0;

    if (releaser->ahead) {
        if (is_first) {
            if (row == releaser->row + 1) {
                window_serve(releaser, now);
            }
            releaser->row = row == releaser->rows ? NO_ROW : row;
        }
    } else if (row != releaser->row) {
        releaser->row = NO_ROW;
        if (is_first && row != releaser->rows) {
            releaser->row = row;
            window_serve(releaser, now);
        }
    }
}

/* The kernel loads what is at `address`. */
static void window_load(uint64_t address, uint64_t now)
{
    for (size_t i = 0; i < releaser_count; i++) {
        struct releaser *releaser = &releasers[i];

        if (releaser->rows != 0 && address - releaser->address < (releaser->rows + 1) * 8) {
            window_load_row(releaser, address - releaser->address, now);
        }
    }
}

/* The kernel stores to `address`. */
static void window_store(uint64_t address, uint64_t now)
{
    for (size_t i = 0; i < releaser_count; i++) {
        if (releasers[i].rows == 0 && address == releasers[i].address) {
            window_serve(&releasers[i], now);
        }
    }
}

static bool window_add(struct releaser of)
{
    struct releaser *releaser = grow(&releasers, &releaser_count, sizeof of);

    *releaser = of;
    releaser->row = NO_ROW;
    return of.interrupt < interrupt_count;
}

/* Returns whether it can use a line of the configuration. */
static bool window_read_line(const char *line)
{
    struct releaser of = {0};
    uint64_t a, b;

    if (sscanf(line, "end_ns %" SCNu64, &end_ns) == 1 ||
        sscanf(line, "late_ns %" SCNu64, &late_ns) == 1) {
        return true;
    }
    if (sscanf(line, "interrupt %" SCNi64 " %" SCNu64, &a, &b) == 2) {
        struct interrupt_site *site = grow(&interrupts, &interrupt_count, sizeof *site);
        site->address = a;
        site->cut_ns = b;
        return true;
    }
    if (sscanf(line, "served %" SCNi64 " %" SCNu64 " %" SCNu64, &of.address, &of.interrupt,
               &of.instants) == 3) {
        return window_add(of);
    }
    if (sscanf(line, "rows %" SCNi64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &of.address,
               &of.rows, &a, &of.interrupt, &of.instants) == 5) {
        of.ahead = a != 0;
        return of.rows != 0 && window_add(of);
    }
    return false;
}

#endif
