/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "hrlp_clock.h"
#include "hrlp_cpu.h"
#include "hrlp_irq.h"

/* Against the sum of shifts, of words that are large, small and uneven. */
static void check_products(void)
{
    static const uint32_t words[] = {0,        1,           0xFFFFu,     0x10000u,
                                     0x10001u, 0xFFFF0000u, 0x80000001u, 0xFFFFFFFFu};
    enum { WORDS = sizeof words / sizeof words[0] };
    uint32_t a = 0x12345678u;
    bool exact = true;

    for (unsigned i = 0; i < WORDS * WORDS; i++) {
        uint32_t b = words[i / WORDS] ^ (i > WORDS ? a : 0);
        uint64_t sum = 0;

        a = words[i % WORDS] + (i & 1u ? a >> 3 : 0);
        for (unsigned bit = 0; bit < 32; bit++) {
            sum += (b >> bit & 1u) != 0 ? (uint64_t)a << bit : 0;
        }
        exact = exact && hrlp_cpu_product(a, b) == sum &&
                hrlp_cpu_product_low((uint64_t)b << 32 | a, b) == sum + ((uint64_t)(b * b) << 32);
    }
    conform_check("product", "of two words", exact);
}

/* hrlp_cpu_highest_bit and hrlp_cpu_product. */
void conform_test_bits(void)
{
    bool single = true, all_below = true;

    for (unsigned bit = 0; bit < 32; bit++) {
        single = single && hrlp_cpu_highest_bit((uint32_t)1 << bit) == bit;
        all_below = all_below && hrlp_cpu_highest_bit(0xFFFFFFFFu >> (31u - bit)) == bit;
    }
    conform_check("highest bit", "of one bit", single);
    conform_check("highest bit", "of all bits up to one", all_below);
    check_products();
}

void conform_test_clock(void)
{
    hrl_stamp first = hrlp_clock_read(), before = first, now;
    bool monotone = true;

    conform_check("clock", "counts from 0", first < 0x10000000u);
    for (unsigned i = 0; i < 1000; i++) {
        now = hrlp_clock_read();
        monotone = monotone && (int32_t)(now - before) >= 0;
        before = now;
    }
    conform_check("clock", "never goes back", monotone);
    conform_check("clock", "goes on", before != first);
    conform_check("clock", "no wrap is pending", !hrlp_clock_wrap_pending());
}

enum { BEFORE = 2000, AFTER = 3000 };

/* Across the wrap of its lower half. */
static void check_wide(void)
{
    hrl_counts before;

    conform_clock_set((hrl_stamp)-BEFORE);
    before = hrlp_clock_read_wide();
    conform_wait(BEFORE + 100);
    conform_check("wide", "the lower half goes through 0", hrlp_clock_read() < 0x10000000u);
    conform_check("wide", "the upper half goes on by one",
                  hrlp_clock_read_wide() >> 32 == (before >> 32) + 1);
    conform_check("wide", "its lower half is what is read alone",
                  hrlp_clock_read() - (hrl_stamp)hrlp_clock_read_wide() + 1000u < 2000u);
}

/* Across the wrap, masked: it reads as pending; unmasked: the upcall comes, once. */
static void check_pending(void)
{
    hrlp_irq_state state = hrlp_irq_lock();
    unsigned wraps = conform_wraps();

    conform_clock_set((hrl_stamp)-BEFORE);
    conform_check("wrap", "is not pending before", !hrlp_clock_wrap_pending());
    conform_wait(BEFORE + 100);
    conform_check("wrap", "the clock goes through 0", hrlp_clock_read() < 0x10000000u);
    conform_check("wrap", "is pending while masked",
                  hrlp_clock_wrap_pending() && conform_wraps() == wraps);
    hrlp_irq_unlock(state);
    conform_wait(100);
    conform_check("wrap", "is reported once", conform_wraps() == wraps + 1);
    conform_check("wrap", "is pending no more", !hrlp_clock_wrap_pending());
}

/* A cell armed before the wrap for after it, and nothing lost by sharing a line with the clock. */
static void check_cell_across(struct conform_cell *cell)
{
    unsigned wraps = conform_wraps() + (HRLP_CLOCK_IS_WIDE ? 0 : 1);

    conform_clock_set((hrl_stamp)-BEFORE);
    conform_cell_arm(cell, AFTER);
    conform_wait(BEFORE + AFTER / 2);
    conform_check(cell->name, "is not early across the wrap", cell->fired == 0);
    conform_check(cell->name, "the wrap before it is reported", conform_wraps() == wraps);
    conform_wait(AFTER);
    conform_check(cell->name, "fires after the wrap",
                  cell->fired == 1 &&
                      cell->at[0] + HRLP_CELL_EARLY_COUNTS - AFTER < CONFORM_LATE + 20);
    conform_cell_disarm(cell);
    conform_cell_reset(cell);
}

void conform_test_wrap(void)
{
    if (HRLP_CLOCK_IS_WIDE) {
        check_wide();
    } else {
        check_pending();
    }
    for (unsigned i = 0; i < conform_cell_count; i++) {
        if (conform_cells[i].one_shot) {
            check_cell_across(&conform_cells[i]);
        }
    }
}
