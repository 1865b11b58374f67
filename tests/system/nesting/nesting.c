/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include "hrlp_timer_cells.h"
#include "hrlp_upcalls.h"

/*
 * Six cells of six levels interrupt the background, and each other, at phases that drift through
 * everything; their entries save different registers. No register of the background's may change.
 */
enum { CELLS = 6, ROUNDS = 400, REGISTERS = 32, DEEPEST = CELLS };

void nesting_background(const uint32_t *before, uint32_t *after, void *stack); /* handlers.S */

struct {
    volatile uint32_t now;
    volatile uint32_t reached[DEEPEST]; /* depth 1 first */
} nesting_depth;
volatile uint32_t nesting_spin[CELLS];

static const uint32_t periods[CELLS] = {2003, 1499, 1361, 1009, 887, 1123};
static uint32_t before[REGISTERS], after[REGISTERS];
static uint64_t thread_stack[128]; /* above gp */
static uint32_t seed = 1;

const char *hrli_cpu_current_name(void)
{
    return "nesting";
}

static uint32_t random_below(uint32_t limit)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) % limit;
}

static void print_number(unsigned number)
{
    char digits[] = "0000000";

    for (unsigned i = 6; i-- > 0; number /= 10u) {
        digits[i] = (char)('0' + number % 10u);
    }
    digits[6] = ' ';
    hrlp_cpu_print(digits);
}

static void start(void)
{
    hrl_stamp first = hrlp_clock_read() + 5000u;

    hrlp_timer_cells_prepare_at(0, 2);
    hrlp_timer_cells_prepare_at(1, 5);
    hrlp_timer_cells_prepare_at(2, 9);
    hrlp_timer_cells_prepare_at(3, 14);
    hrlp_timer_cells_prepare_at(4, 20);
    hrlp_timer_cells_prepare_at(5, 31);
    for (unsigned i = 0; i < CELLS; i++) {
        hrlp_timer_cells_start_periodic(i, first, periods[i]);
    }
}

int main(void)
{
    unsigned changed = 0;
    unsigned background = 0; /* the registers of the first change */

    start();
    __asm__ volatile("csrsi mstatus, 8");
    for (unsigned round = 0; round < ROUNDS; round++) {
        char *top = THREADS ? (char *)&thread_stack[128] : __builtin_frame_address(0);

        for (unsigned i = 0; i < CELLS; i++) {
            nesting_spin[i] = random_below(100u / (i + 1u));
        }
        for (unsigned i = 0; i < REGISTERS; i++) {
            before[i] = after[i] = (round << 8 | i) * 0x9E3779B1u;
        }
        nesting_background(before, after, THREADS ? top : (char *)__builtin_frame_address(0) - 512);
        for (unsigned i = 0; i < REGISTERS; i++) {
            if (before[i] != after[i]) {
                background |= 1u << i;
                changed++;
            }
        }
    }
    (void)hrlp_irq_lock();
    for (unsigned i = 0; i < DEEPEST; i++) {
        print_number(nesting_depth.reached[i]);
    }
    hrlp_cpu_print(changed == 0 && nesting_depth.now == 0 ? "kept\n" : "changed\n");
    hrlp_cpu_halt(changed == 0 && nesting_depth.now == 0 ? 0 : 1);
}
