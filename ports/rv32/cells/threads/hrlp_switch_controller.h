/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_SWITCH_CONTROLLER_H
#define HRLP_SWITCH_CONTROLLER_H

#include "hrlp_irq.h"

/* Words of the trap frame (hrlp_rv32_frame.inc). The i-th of a0-a7, t0-t6; t0 and ra are where the slot puts them. */
#define HRLP_RV32_FRAME_RESUME 1
#define HRLP_RV32_FRAME_RA 18
#define HRLP_RV32_FRAME_WORD(i) ((i) < 8 ? 2 + (i) : (i) == 8 ? 19 : 1 + (i))

/*
 * The switch is the software source of the highest number, at the lowest priority. Raised by code
 * that may be interrupted, it comes before the second instruction behind the store.
 */
static inline void hrlp_cpu_request_switch(void)
{
    HRLP_RV32_RAISE = 1u << HRLP_RV32_DISPATCH_SOURCE;
    __asm__ volatile("nop\n\tnop" : : : "memory");
}

static inline void hrlp_cpu_request_switch_at_end(void)
{
    hrlp_cpu_request_switch();
}

/* switch.S: what the controller answers a claim of it with. */
void hrlp_switch_entry(void);

/* switch.S: how a thread goes on that has not run yet. */
void hrlp_rv32_begin(void);

/* Lets the dispatch through. Context: start-up, threads are about to run. */
static inline void hrlp_rv32_start_dispatch(void)
{
    hrlp_rv32_enable(HRLP_RV32_DISPATCH_SOURCE, 1, hrlp_switch_entry);
}

static inline bool hrlp_cpu_in_interrupt(void)
{
    return HRLP_RV32_ACTIVE_PRIORITY != 0;
}

#define HRLP_CPU_SEARCHES_BITS true

/*
 * switch.S. The compiler keeps the values that it needs again on the stack, but for `kept`, which
 * comes back in s1, as it is to survive a call. t0 is the link register.
 */
#define HRLP_CPU_LEAVES true
static inline __attribute__((always_inline)) void (*hrlp_cpu_leave(void (*kept)(void)))(void)
{
    register void (*a0)(void) __asm__("a0") = kept;
    register void (*s1)(void) __asm__("s1");

    __asm__ volatile("jal t0, hrlp_rv32_leave\n\t"
                     "lw s1, 56(sp)\n\t"
                     "addi sp, sp, 64\n\t"
                     "csrsi mstatus, 8"
                     : "+r"(a0), "=r"(s1)
                     :
                     : "memory", "ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a1", "a2", "a3",
                       "a4", "a5", "a6", "a7", "s0", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9",
                       "s10", "s11");
    return s1;
}

static inline __attribute__((always_inline)) void hrlp_cpu_leave_to(void **stack, void *next)
{
    register void *a0 __asm__("a0") = next;
    register void **a1 __asm__("a1") = stack;

    __asm__ volatile("jal t0, hrlp_rv32_leave_to\n\t"
                     "addi sp, sp, 64\n\t"
                     "csrsi mstatus, 8"
                     : "+r"(a0), "+r"(a1)
                     :
                     : "memory", "ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a2", "a3", "a4",
                       "a5", "a6", "a7", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9",
                       "s10", "s11");
}

static inline void *hrlp_cpu_stack_prepare_call(void *stack, size_t bytes, void (*body)(void),
                                                void (*next)(void))
{
    uint32_t *saved = hrlp_cpu_stack_prepare(stack, bytes, (void (*)(void *))body, NULL);

    saved[12 + HRLP_RV32_FRAME_RA] = (uint32_t)(uintptr_t)next;
    return saved;
}

/*
 * At file scope: the handler that is named so has this entry, instead of the one that its cell's
 * preparation makes.
 */
#define HRLP_CPU_ENDS_HANDLERS true
#define HRLP_CPU_ENDING_HANDLER(handler, general)                                                  \
    __asm__(".include \"hrlp_rv32_entry.inc\"\n\t"                                                 \
            ".pushsection .text." #handler "_entry, \"ax\", %progbits\n\t"                         \
            ".global " #handler "_entry\n\t"                                                       \
            "ending_entry " #handler "_entry, " #handler ", " #general "\n\t"                      \
            ".popsection")

/* s0-s11 are to lie below (hrlp_rv32_frame.inc). */
static inline void *hrlp_cpu_saved(void *interrupted)
{
    return (char *)interrupted - 48;
}

#endif
