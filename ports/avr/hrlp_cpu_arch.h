/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CPU_ARCH_H
#define HRLP_CPU_ARCH_H

#include "hrlp_avr_owes.h"
#include "hrlp_wide_product.h"
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <stdint.h>

#define HRLP_CPU_GIVEN_STACKS true
#define HRLP_CPU_SHORTENS_ALARMS HRL_SHORT_ALARMS
#define HRLP_CPU_IS_NARROW 1

/*
 * AVR has no interrupt that software can pend. A switch that has to wait is a bit of a byte, which the end of each
 * handler (HRLP_CPU_ENTRY) and the end of the lock (hrlp_irq_unmask) look at. In builds with HRL_BASIC_TASKS another
 * bit says that lines were raised (vectors/hrlp_line_arch.h), and a switch waits for the end of their handlers,
 * and of ceilings, too.
 */
extern volatile uint8_t hrlp_avr_owes;

/*
 * switch.S. Like an interrupt that switches, at the place of the call: keeps all registers; interrupts are enabled
 * when the caller goes on. With HRL_BASIC_TASKS it does what is owed. Context: not a cell's handler;
 * interrupts masked.
 */
void hrlp_avr_give_way(void);

/* switch.S: the same as a function; by the dispatch of hrli_cpu_yield. Context: a thread. */
void hrlp_avr_wait(void);
void hrlp_avr_yield(void);

/* Whether what calls this may be interrupted. */
static inline bool hrlp_avr_is_open(void)
{
    return (SREG & 1u << SREG_I) != 0;
}

/* hrlp_avr_give_way for a compiler that need not save anything around it. */
static inline __attribute__((always_inline)) void hrlp_avr_switch_here(void)
{
    __asm__ volatile("%~call hrlp_avr_give_way" : : : "memory");
}

static inline void hrlp_avr_owe_switch(void)
{
#if HRL_BASIC_TASKS
    hrlp_avr_owes |= HRLP_AVR_OWES_SWITCH;
#else
    hrlp_avr_owes = HRLP_AVR_OWES_SWITCH;
#endif
}

static inline void hrlp_cpu_request_switch(void)
{
    if (hrlp_avr_is_open()) {
#if HRL_BASIC_TASKS
        __asm__ volatile("cli" : : : "memory");
        hrlp_avr_owe_switch();
        hrlp_avr_switch_here();
#else
        hrlp_avr_wait();
#endif
    } else {
        hrlp_avr_owe_switch();
    }
}

/* Interrupts are masked, or handlers of lines would come in between. */
static inline void hrlp_cpu_request_switch_at_end(void)
{
#if HRL_BASIC_TASKS
    uint8_t status = SREG;

    __asm__ volatile("cli" : : : "memory");
    hrlp_avr_owe_switch();
    SREG = status;
    __asm__ volatile("" : : : "memory");
#else
    hrlp_avr_owe_switch();
#endif
}

static inline __attribute__((always_inline)) void *hrlp_cpu_base(void *pointer)
{
    __asm__("" : "+r"(pointer));
    return pointer;
}

/* switch.S keeps r28 and r29, of which the compiler makes the frame's pointer. */
static inline __attribute__((always_inline)) void hrlp_cpu_request_switch_in_loop(void)
{
    __asm__ volatile("%~call hrlp_avr_end_job"
                     :
                     :
                     : "memory", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11",
                       "r12", "r13", "r14", "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22",
                       "r23", "r24", "r25", "r26", "r27", "r30", "r31");
}

static inline void hrlp_cpu_yield(void)
{
    hrlp_avr_yield();
}

/* Handlers run on the main stack, which lies above all others; so does main, but only before the start. */
extern uint8_t hrl_link_main_stack_low[];
extern uint8_t hrlp_avr_started;

static inline bool hrlp_cpu_in_interrupt(void)
{
    return SP >= (uint16_t)(uintptr_t)hrl_link_main_stack_low && hrlp_avr_started;
}

static inline bool hrlp_cpu_is_negative(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0; /* the compiler branches on the sign */
}

static inline bool hrlp_cpu_differ(uint32_t a, uint32_t b, uint32_t *bits)
{
    *bits = a ^ b;
    return *bits != 0;
}

typedef uint16_t __attribute__((may_alias)) hrlp_avr_half;

static inline __attribute__((always_inline)) uint16_t hrlp_cpu_load_low(const uint32_t *word)
{
    return *(const hrlp_avr_half *)word;
}

static inline __attribute__((always_inline)) uint16_t
hrlp_cpu_load_low_const(const __flash uint32_t *word)
{
    return *(const __flash hrlp_avr_half *)word;
}

static inline __attribute__((always_inline)) void hrlp_cpu_store_low(uint32_t *word, uint16_t low)
{
    *(hrlp_avr_half *)word = low;
}

/* Of four bits the highest, and the bits of a byte, both in flash; cpu.c. */
extern const uint8_t hrlp_avr_highest[16];
extern const uint8_t hrlp_avr_bits[8];

/* Not in Z, where what is loaded with it is to have its address. */
static inline uint8_t hrlp_avr_flash_byte(const uint8_t *address)
{
    uint8_t byte;

    __asm__("lpm %0, Z" : "=a"(byte) : "z"(address));
    return byte;
}

/* By bytes and by halves of a byte: shifts by more than one are loops here. */
static inline uint8_t hrlp_avr_highest_of_byte(uint8_t bits)
{
    uint8_t base = 0;

    if (HRLI_SMALL) { /* without the table */
        while ((bits >>= 1) != 0) {
            base++;
        }
        return base;
    }
    if (bits > 15u) {
        bits >>= 4;
        base = 4;
    }
    return base + hrlp_avr_flash_byte(&hrlp_avr_highest[bits]);
}

static inline uint16_t hrlp_cpu_bit(uint8_t number)
{
    union { /* as the compiler makes a shift by eight more than it is */
        uint8_t bytes[2];
        uint16_t word;
    } bit = {{0, 0}};
    uint8_t byte = hrlp_avr_flash_byte(&hrlp_avr_bits[number & 7u]);

    if ((number & 8u) != 0) {
        bit.bytes[1] = byte;
    } else {
        bit.bytes[0] = byte;
    }
    return bit.word;
}

static inline __attribute__((always_inline)) unsigned hrlp_cpu_highest_bit(uint32_t bits)
{
    uint16_t half = (uint16_t)bits;
    uint8_t base = 0;

    if (bits > 0xFFFFu) {
        half = (uint16_t)(bits >> 16);
        base = 16;
    }
    if ((uint8_t)(half >> 8) != 0) {
        half >>= 8;
        base += 8;
    }
    return (uint8_t)(base + hrlp_avr_highest_of_byte((uint8_t)half));
}

/*
 * A handler has an entry of its own, <handler>_entry, which is in the vector table: it saves what the handler may
 * change, lends it the main stack, and switches at the end if a switch is owed. The kernel defines it where it
 * defines the handler. Two bytes of the return address and fifteen of registers are on the thread's stack
 * then, and twenty more while the thread is switched off.
 */
#define HRLP_CPU_ENTRY(handler)                                                                    \
    void handler##_entry(void);                                                                    \
    __attribute__((naked, used)) void handler##_entry(void)                                        \
    {                                                                                              \
        __asm__ volatile("push r0\n\tin r0, __SREG__\n\tpush r0\n\tpush r1\n\t"                    \
                         "push r18\n\tpush r19\n\t" HRLP_AVR_ENTRY_REST(handler)::);               \
    }

/*
 * To the main stack, which handlers of lines, and what comes into these, are on already; so is everything in a system
 * without threads.
 */
#if HRL_WITHOUT_THREADS
#define HRLP_AVR_TO_MAIN_STACK
#else
#if HRL_BASIC_TASKS
#define HRLP_AVR_UNLESS_THERE                                                                      \
    "ldi r24, hi8(hrl_link_main_stack_low)\n\tcpi r30, lo8(hrl_link_main_stack_low)\n\t"           \
    "cpc r31, r24\n\tbrsh 9f\n\t"
#else
#define HRLP_AVR_UNLESS_THERE
#endif
#define HRLP_AVR_TO_MAIN_STACK                                                                     \
    "in r30, __SP_L__\n\tin r31, __SP_H__\n\t" HRLP_AVR_UNLESS_THERE                               \
    "ldi r24, lo8(hrl_link_main_stack_top - 1)\n\t"                                                \
    "ldi r25, hi8(hrl_link_main_stack_top - 1)\n\t"                                                \
    "out __SP_H__, r25\n\tout __SP_L__, r24\n"                                                     \
    "9:\tpush r31\n\tpush r30\n\t"
#endif

/* The same behind the first five. */
#define HRLP_AVR_ENTRY_REST(handler)                                                               \
    "clr r1\n\tpush r20\n\tpush r21\n\tpush r22\n\t"                                               \
    "push r23\n\tpush r24\n\tpush r25\n\tpush r26\n\tpush r27\n\t"                                 \
    "push r30\n\tpush r31\n\t" HRLP_AVR_TO_MAIN_STACK "%~call " #handler "\n\t"                    \
    "%~jmp hrlp_avr_leave"

/*
 * Constants are copied to RAM at start, but these: the compiler reads them by `lpm`, which takes a cycle more a byte than a
 * load of data. They lie in the first half of the flash (link.ld), as `lpm` reads no other.
 */
#ifdef __STRICT_ANSI__ /* -std=c11 */
#error "__flash needs GNU C: -std=gnu11"
#endif
#define HRLP_CONST const __flash
#define HRLP_CONST_AT(pointer) ((HRLP_CONST __typeof__(*(pointer)) *)(pointer))
#define HRLP_READABLE(text, bytes) hrlp_avr_copy((char[bytes]){0}, bytes, text)
const char *hrlp_avr_copy(char *to, size_t bytes,
                          HRLP_CONST char *from); /* fault.c: the end, if it is longer */

/* console.c. */
#define HRLP_TEXT(literal) PSTR(literal)
#define HRLP_CPU_STOP(reason, file, line) hrlp_avr_stop(PSTR(reason), PSTR(file), line)
void hrlp_avr_print_flash(HRLP_CONST char *text);
_Noreturn void hrlp_avr_stop(const char *reason, const char *file, int line); /* fault_entry.S */

static inline void hrlp_cpu_print_text(HRLP_CONST char *text)
{
    hrlp_avr_print_flash(text);
}

#include "hrlp_no_leave.h"
#include "hrlp_no_links.h"

#endif
