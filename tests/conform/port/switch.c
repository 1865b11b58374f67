/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "hrlp_clock.h"
#include "hrlp_cpu.h"
#include "hrlp_irq.h"

/* Stack preparation, and the switch asked for by threads and by interrupts. */
static void *seen_argument;
static void *seen_local;
static volatile unsigned turns, switched_in_handler;
static volatile bool in_handler, ran_in_handler, handler_is_interrupt;

static void take_turns(void *argument)
{
    int local = 0;

    seen_argument = argument;
    seen_local = &local;
    for (;;) {
        turns++;
        ran_in_handler = ran_in_handler || in_handler;
        conform_switch_to(CONFORM_CONDUCTOR);
    }
}

static bool on_stack(const void *address, unsigned thread)
{
    const char *stack = conform_stack(thread);

    return !conform_stacks_are_used ||
           ((const char *)address >= stack && (const char *)address < stack + CONFORM_STACK_BYTES);
}

static void check_threads(void)
{
    static int argument;
    unsigned before;

    conform_thread(CONFORM_FIRST, take_turns, &argument);
    conform_check("stack", "what is prepared lies on it",
                  on_stack(conform_saved(CONFORM_FIRST), CONFORM_FIRST));
    before = conform_switches();
    conform_switch_to(CONFORM_FIRST);
    conform_check("switch", "has happened when the request returns",
                  turns == 1 && conform_switches() == before + 2);
    conform_check("switch", "the first one calls entry(argument)", seen_argument == &argument);
    conform_check("stack", "the thread runs on it", on_stack(seen_local, CONFORM_FIRST));
    conform_switch_to(CONFORM_FIRST);
    conform_check("switch", "the second one goes on where the thread was", turns == 2);
    before = conform_switches();
    conform_switch_to(CONFORM_CONDUCTOR);
    conform_check("switch", "to oneself is a switch like any other",
                  conform_switches() == before + 1);
}

static bool nothing_is_masked(void)
{
    hrlp_irq_state outer = hrlp_irq_lock();
    hrlp_irq_state inner = hrlp_irq_lock();

    hrlp_irq_unlock(inner);
    hrlp_irq_unlock(outer);
    return outer == HRLP_IRQ_UNLOCKED && inner != HRLP_IRQ_UNLOCKED;
}

static void yield_for_ever(void *argument)
{
    uint32_t kept = *(uint32_t *)argument;

    for (;;) {
        turns++;
        *(uint32_t *)argument = kept++;
        conform_want(CONFORM_CONDUCTOR);
        hrlp_cpu_yield();
    }
}

static void check_yield(void)
{
    static uint32_t counted = 7;
    unsigned before = conform_yields(), turns_before = turns;

    turns = 0;
    conform_thread(CONFORM_SECOND, yield_for_ever, &counted);
    for (unsigned i = 0; i < 5; i++) {
        conform_want(CONFORM_SECOND);
        hrlp_cpu_yield();
    }
    conform_check("yield", "is a dispatch at once, by its own upcall",
                  turns == 5 && conform_yields() == before + 10);
    conform_check("yield", "keeps what the thread knows", counted == 11);
    conform_switch_to(CONFORM_SECOND);
    conform_check("yield", "goes on where a request went, and back", turns == 6);
    turns = turns_before;
    conform_check("interrupt", "a thread is none", !hrlp_cpu_in_interrupt());
    conform_check("lock", "says that nothing was masked", nothing_is_masked());
}

static void check_masked(void)
{
    hrlp_irq_state state = hrlp_irq_lock();
    unsigned before = conform_switches();

    conform_switch_to(CONFORM_FIRST);
    conform_switch_to(CONFORM_FIRST);
    conform_check("switch", "waits for the lock", conform_switches() == before && turns == 2);
    hrlp_irq_unlock(state);
    conform_wait(20);
    conform_check("switch", "asked for twice under the lock is made once",
                  turns == 3 && conform_switches() == before + 2);
}

static void ask_for_first(void)
{
    unsigned before = conform_switches();

    in_handler = true;
    handler_is_interrupt = hrlp_cpu_in_interrupt();
    conform_switch_to(CONFORM_FIRST);
    conform_switch_to(CONFORM_FIRST);
    switched_in_handler = conform_switches() - before;
    in_handler = false;
}

static void check_from_handler(struct conform_cell *cell)
{
    unsigned before = conform_switches();

    turns = 0;
    cell->on_interrupt = ask_for_first;
    conform_cell_arm(cell, hrlp_clock_read() + 500);
    conform_wait(1000);
    conform_check("switch", "asked for by a handler waits for its end",
                  cell->fired == 1 && switched_in_handler == 0 && !ran_in_handler);
    conform_check("interrupt", "a handler is one, and its end ends it",
                  handler_is_interrupt && !hrlp_cpu_in_interrupt());
    conform_check("switch", "asked for by a handler is made then, once",
                  turns == 1 && conform_switches() == before + 2);
    conform_cell_reset(cell);
}

static __attribute__((noinline)) void read_clock(void)
{
    (void)hrlp_clock_read();
}

/*
 * A computation with many values at work, wherever it is interrupted: in the registers that a called
 * function may destroy, or, as it calls one, in those that it may not. Reads the clock in any case, so
 * that time passes on the host, too.
 */
static inline __attribute__((always_inline)) uint32_t mix(uint32_t seed, unsigned rounds,
                                                          bool calling)
{
    uint32_t a = seed, b = ~seed, c = seed * 3u, d = seed * 5u, e = seed * 7u, f = seed * 11u,
             g = seed * 13u, h = seed * 17u, i = seed * 19u, j = seed * 23u, k = seed * 29u,
             l = seed * 31u, m = seed * 37u;

    for (unsigned round = 0; round < rounds; round++) {
        a += b ^ (c >> 3);
        b += c * d;
        c ^= d + e;
        d += e ^ (f << 1);
        e += f * 3u;
        f ^= g + h;
        g += h ^ (i >> 5);
        h += i * j;
        i ^= j + k;
        j += k ^ (l << 2);
        k += l + m;
        l ^= m * a;
        m += a ^ (b >> 7);
        if (calling) {
            read_clock();
        } else {
            (void)hrlp_clock_read();
        }
    }
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l ^ m;
}

static __attribute__((noinline)) uint32_t mix_alone(uint32_t seed, unsigned rounds)
{
    return mix(seed, rounds, false);
}

static __attribute__((noinline)) uint32_t mix_calling(uint32_t seed, unsigned rounds)
{
    return mix(seed, rounds, true);
}

static uint32_t compute(uint32_t seed, unsigned rounds)
{
    return mix_alone(seed, rounds) ^ mix_calling(~seed, rounds);
}

enum { TURN = 3 * CONFORM_LATE - 3 };

static void (*arm_next)(hrl_stamp due);
static bool is_to_ask;
static volatile unsigned broken;

/* From one thread to the other, wherever they are, and back. */
static void take_turns_by_force(void)
{
    unsigned next = ++turns % 2u != 0 ? CONFORM_SECOND : CONFORM_CONDUCTOR;

    arm_next(hrlp_clock_read() + TURN);
    if (is_to_ask) {
        conform_switch_to(next);
    } else {
        conform_want(next);
    }
}

enum { SEED = 0x12345678, ROUNDS = 3000, ENOUGH = 40, AGAIN = 100 };

static void compute_for_ever(void *argument)
{
    const uint32_t *alone = argument;

    for (;;) {
        broken += compute(SEED + 1u, ROUNDS / 10) != *alone;
    }
}

void conform_check_registers(const char *subject, void (*arm)(hrl_stamp due), bool asks,
                             void (*volatile *on_interrupt)(void))
{
    unsigned rounds = asks ? ROUNDS : ROUNDS / 5;
    uint32_t alone = compute(SEED, rounds), others = compute(SEED + 1u, ROUNDS / 10), disturbed;
    unsigned again = 0;
    hrlp_irq_state state;

    conform_thread(CONFORM_SECOND, compute_for_ever, &others);
    arm_next = arm;
    is_to_ask = asks;
    turns = 0;
    *on_interrupt = take_turns_by_force;
    state = hrlp_irq_lock();
    arm(hrlp_clock_read() + TURN);
    hrlp_irq_unlock(state);
    do { /* a fast processor computes for a few of a slow clock's counts only */
        disturbed = compute(SEED, rounds);
    } while (disturbed == alone && turns <= ENOUGH && ++again < AGAIN);
    *on_interrupt = NULL; /* one that is on its way arms no other */
    conform_check(subject, "two computations interrupt each other many times", turns > ENOUGH);
    conform_check(subject, "and keep all their registers", disturbed == alone && broken == 0);
}

static volatile uint32_t mixed;

/* A handler with work of its own, for the registers that a called function may destroy. */
static void compute_in_handler(void)
{
    mixed = mix_alone(++turns, 1);
    arm_next(hrlp_clock_read() + TURN);
}

static void check_interrupted(struct conform_cell *cell)
{
    uint32_t alone = compute(SEED, ROUNDS / 5), disturbed;
    unsigned before = conform_switches(), again = 0;
    hrlp_irq_state state;

    arm_next = cell->calls.arm;
    turns = 0;
    cell->on_interrupt = compute_in_handler;
    state = hrlp_irq_lock();
    arm_next(hrlp_clock_read() + TURN);
    hrlp_irq_unlock(state);
    do {
        disturbed = compute(SEED, ROUNDS / 5);
    } while (disturbed == alone && turns <= ENOUGH && ++again < AGAIN);
    cell->on_interrupt = NULL;
    conform_check("interrupt", "many come into a computation, and none switches",
                  turns > ENOUGH && conform_switches() == before);
    conform_check("interrupt", "and it keeps all its registers", disturbed == alone);
    conform_cell_disarm(cell);
    conform_cell_reset(cell);
}

void conform_take_turns(void)
{
    static int argument;

    turns = 0;
    conform_thread(CONFORM_FIRST, take_turns, &argument);
}

unsigned conform_turns(void)
{
    return turns;
}

void conform_test_switch(void)
{
    check_threads();
    check_yield();
    check_masked();
    check_from_handler(&conform_cells[0]);
    check_interrupted(&conform_cells[0]);
    conform_check_registers("switch", conform_cells[0].calls.arm, true,
                            &conform_cells[0].on_interrupt);
    conform_cell_disarm(&conform_cells[0]);
    conform_cell_reset(&conform_cells[0]);
}
