/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CPU_ARCH_H
#define HRLP_CPU_ARCH_H

#include <stdint.h>

#include "cortex_m_cpu.h"
#include "cortex_m_taken_over.h"
#include "hrlp_wide_product.h"

static inline bool hrlp_cpu_is_negative(uint32_t a, uint32_t b)
{
    bool negative;

    __asm__("cmp %1, %2" : "=@ccmi"(negative) : "r"(a), "r"(b));
    return negative;
}

static inline bool hrlp_cpu_differ(uint32_t a, uint32_t b, uint32_t *bits)
{
    uint32_t difference;
    bool differ;

    __asm__("eors %0, %2, %3" : "=r"(difference), "=@ccne"(differ) : "r"(a), "r"(b));
    *bits = difference;
    return differ;
}

static inline unsigned hrlp_cpu_highest_bit(uint32_t bits)
{
    return 31u - (unsigned)__builtin_clz(bits);
}

/* Entry to and return from an exception end what was linked (Armv7-M ARM, A3.4). */
#define HRLP_CPU_LINKS true

static inline uint32_t hrlp_cpu_load_linked(const volatile uint32_t *word)
{
    uint32_t value;

    __asm__ volatile("ldrex %0, %1" : "=r"(value) : "Q"(*word) : "memory");
    return value;
}

/*
 * The result of the instruction is 1 if the store failed. What it stores goes into the register that a
 * call without a frame has free, so that the result finds one that a short branch can test.
 */
static inline bool hrlp_cpu_store_linked(volatile uint32_t *word, uint32_t value)
{
    register uint32_t stored __asm__("ip") = value;
    uint32_t failed;

    __asm__ volatile("strex %0, %2, %1" : "=&r"(failed), "=Q"(*word) : "r"(stored) : "memory");
    return __builtin_expect(failed == 0, true);
}

/*
 * A handler that switches where it ends saves and loads as PendSV_Handler does (armv7m_switch.h), if it
 * came into a thread: bit 2 of EXC_RETURN is the stack of that. With a floating-point unit, which has
 * more to save, PendSV does it.
 */
#if !defined(__ARM_FP) /* as the entry is another */
#define HRLP_CPU_SWITCHES_AT_END true
#define HRLP_CPU_SWITCHING_HANDLER(name, ending, nested)                                           \
    void name(void);                                                                               \
    __attribute__((naked)) void name(void)                                                         \
    {                                                                                              \
        __asm__ volatile(HRLP_CORTEX_M_TAKE_OVER "tst lr, #4\n\t" HRLP_CORTEX_M_GO_IF_EQUAL(       \
            #nested) "bl " #ending "\n\t"                                                          \
                     "mvn lr, #2\n\t"                                                              \
                     "cbz r0, 1f\n\t"                                                              \
                     "stmia r1, {r4-r11, lr}\n\t"                                                  \
                     "ldmia r0!, {r4-r11, lr}\n\t"                                                 \
                     "msr psp, r0\n"                                                               \
                     "1:\n\t" HRLP_CORTEX_M_LEAVE);                                                \
    }

/*
 * As a function returns it in r0 and r1, which a structure would not be: the stack pointer to go on with, or
 * NULL, and where the registers of the interrupted thread are saved.
 */
typedef uint64_t hrlp_cpu_at_end;

static inline void *hrlp_cpu_saved_at_end(void)
{
    char *stack_pointer;

    __asm__ volatile("mrs %0, psp" : "=r"(stack_pointer));
    return stack_pointer - 36;
}

static inline hrlp_cpu_at_end hrlp_cpu_go(void *saved, void *next)
{
    return (uint64_t)(uintptr_t)saved << 32 | (uintptr_t)next;
}

/*
 * NULL, and anything, which costs nothing; of a 0 that the compiler loads it makes the result of an earlier
 * comparison, for more.
 */
static inline hrlp_cpu_at_end hrlp_cpu_stay(void)
{
    uint32_t none, anything;

    __asm__ volatile("movs %0, #0" : "=l"(none), "=r"(anything) : : "cc");
    return (uint64_t)anything << 32 | none;
}
#endif

/*
 * Of a handler, which uses the main stack: the hardware's frame is at its top, with the program counter at 24 and
 * xPSR behind that, of which the bits of an interrupted instruction are cleared.
 */
#define HRLP_CPU_REDIRECTING_HANDLER(name, function)                                               \
    void name(void);                                                                               \
    __attribute__((naked)) void name(void)                                                         \
    {                                                                                              \
        __asm__ volatile(HRLP_CORTEX_M_TAKE_OVER "push {r4, lr}\n\t"                               \
                                                 "bl " #function "\n\t"                            \
                                                 "cbz r0, 1f\n\t"                                  \
                                                 "bic r0, #1\n\t"                                  \
                                                 "str r0, [sp, #32]\n\t"                           \
                                                 "ldr r0, [sp, #36]\n\t"                           \
                                                 "bic r0, #0x06000000\n\t"                         \
                                                 "bic r0, #0xFC00\n\t"                             \
                                                 "str r0, [sp, #36]\n"                             \
                                                 "1:\n\t" HRLP_CORTEX_M_LEAVE_POPPING);            \
    }

#include "hrlp_linked_pointers.h"
#include "hrlp_no_leave.h"

#endif
