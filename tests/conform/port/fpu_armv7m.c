/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "hrlp_clock.h"

/*
 * Floating-point registers: two threads hold all of them full of their own values while they are switched,
 * of their own will and by interrupts; a third uses none, and has no frame for them.
 */
enum { REGISTERS = 32, FRAME_WITHOUT = 104, FRAME_WITH = 200, TURN = 3 * CONFORM_LATE };

struct contents {
    uint32_t word[REGISTERS];
};

static volatile unsigned broken, rounds[CONFORM_THREADS];
static volatile unsigned frame_bytes;
static struct conform_cell *interrupting;

static void load(const struct contents *from)
{
    __asm__ volatile("vldmia %0, {s0-s31}" : : "r"(from) : "memory");
}

static void store(struct contents *to)
{
    __asm__ volatile("vstmia %0, {s0-s31}" : : "r"(to) : "memory");
}

/* No floating-point code but the two above, so that the compiler keeps out of the registers. */
static void hold(unsigned thread)
{
    struct contents mine, found;

    for (unsigned i = 0; i < REGISTERS; i++) {
        mine.word[i] = thread << 24 | (rounds[thread] & 0xFFu) << 8 | i;
    }
    load(&mine);
    if (rounds[thread] % 2 == 0) {
        conform_wait(300);
    } else {
        conform_switch_to(CONFORM_CONDUCTOR);
    }
    store(&found);
    for (unsigned i = 0; i < REGISTERS; i++) {
        broken += found.word[i] != mine.word[i];
    }
    rounds[thread]++;
}

static void use_fpu(void *argument)
{
    for (;;) {
        hold((unsigned)(uintptr_t)argument);
    }
}

static void next_thread(void)
{
    static unsigned turn;

    interrupting->calls.arm(hrlp_clock_read() + TURN);
    conform_switch_to(CONFORM_CONDUCTOR + turn++ % 3u);
}

/* How much of the stack of `thread` its saved state takes, from where it called. */
static unsigned saved_bytes(unsigned thread, const void *top)
{
    return (unsigned)((const char *)top - (const char *)conform_saved(thread));
}

static void *fpu_top;

static void use_fpu_once(void *argument)
{
    struct contents contents = {{0}};

    (void)argument;
    load(&contents);
    for (;;) {
        fpu_top = __builtin_frame_address(0);
        conform_switch_to(CONFORM_CONDUCTOR);
    }
}

static void measure_frames(void *argument)
{
    register char *sp __asm__("sp");
    char *top;

    (void)argument;
    __asm__ volatile("mov %0, %1" : "=r"(top) : "r"(sp));
    for (;;) {
        fpu_top = top;
        conform_switch_to(CONFORM_CONDUCTOR);
    }
}

static void check_frames(void)
{
    unsigned with;

    conform_thread(CONFORM_FIRST, use_fpu_once, NULL);
    conform_thread(CONFORM_SECOND, measure_frames, NULL);
    for (unsigned i = 0; i < 4; i++) {
        conform_switch_to(CONFORM_FIRST);
        with = saved_bytes(CONFORM_FIRST, fpu_top);
        conform_switch_to(CONFORM_SECOND);
        frame_bytes = saved_bytes(CONFORM_SECOND, fpu_top);
    }
    conform_check("fpu", "a thread that used it has a frame for its registers", with >= FRAME_WITH);
    conform_check("fpu", "one that did not has none", frame_bytes <= FRAME_WITHOUT);
}

void conform_test_fpu(void)
{
    check_frames();
    conform_thread(CONFORM_FIRST, use_fpu, (void *)CONFORM_FIRST);
    conform_thread(CONFORM_SECOND, use_fpu, (void *)CONFORM_SECOND);
    interrupting = &conform_cells[0];
    interrupting->on_interrupt = next_thread;
    conform_cell_arm(interrupting, hrlp_clock_read() + TURN);
    while (rounds[CONFORM_FIRST] < 100 || rounds[CONFORM_SECOND] < 100) {
        hold(CONFORM_CONDUCTOR);
    }
    conform_cell_disarm(interrupting);
    conform_cell_reset(interrupting);
    conform_check("fpu", "three threads keep all their registers", broken == 0);
}
