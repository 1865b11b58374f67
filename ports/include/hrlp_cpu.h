/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CPU_H
#define HRLP_CPU_H

#include <hrl/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Porting contract: the processor. One core's worth; called on the core it is about.
 *
 * The port defines HRLP_CPU_GIVEN_STACKS: whether threads run on the stacks that the kernel gives
 * them, where the saved stack pointer points. If not, the kernel does not look there.
 */

/*
 * Prepares a stack so that the first switch to it calls entry(argument). `stack` is its lowest
 * address, aligned to 8 bytes, `bytes` its size, a multiple of 8. Returns the saved stack pointer
 * that hrli_cpu_switch will be asked to return. Context: start-up.
 */
void *hrlp_cpu_stack_prepare(void *stack, size_t bytes, void (*entry)(void *), void *argument);

/*
 * Asks for a dispatch as soon as no interrupt handler runs and the port's lock is released: the
 * port then calls hrli_cpu_switch once. From a thread with interrupts enabled, the dispatch has
 * happened when this returns. Asking twice is asking once. Context: any.
 */
static inline void hrlp_cpu_request_switch(void);

/* Asks for a dispatch when the handler has ended, in fewer instructions. Context: a handler. */
static inline void hrlp_cpu_request_switch_at_end(void);

/*
 * Whether a - b, modulo 2^32, has its highest bit set. Where that is a flag of the processor, compilers
 * compute the difference, too. Context: any.
 */
static inline bool hrlp_cpu_is_negative(uint32_t a, uint32_t b);

/*
 * Whether a and b differ, and in `bits` where. Where that is a flag of the instruction that finds the bits,
 * compilers compare a and b, too. Context: any.
 */
static inline bool hrlp_cpu_differ(uint32_t a, uint32_t b, uint32_t *bits);

/*
 * The whole product, and the lower 64 bits of one. Where the processor multiplies words to words only, compilers call a
 * function that multiplies words of 64 bits. Context: any.
 */
static inline uint64_t hrlp_cpu_product(uint32_t a, uint32_t b);
static inline uint64_t hrlp_cpu_product_low(uint64_t a, uint32_t b);

/* Whether an interrupt handler runs. Context: any but the dispatch. */
static inline bool hrlp_cpu_in_interrupt(void);

/*
 * Calls hrli_cpu_yield as a dispatch, at once. Context: a thread, interrupts enabled.
 */
static inline void hrlp_cpu_yield(void);

/*
 * Turns the caller into the idle thread, on the stack given, then ends the lock and runs the idle
 * loop for ever. Context: start-up, locked.
 */
_Noreturn void hrlp_cpu_become_idle(void *stack, size_t bytes);

/*
 * Runs the idle loop for ever on the stack that it is called on, where there are no threads; ends
 * the lock first. Ports with HRLP_LINE_CONTROLLER have it. Context: start-up, locked.
 */
_Noreturn void hrlp_cpu_idle(void);

/* Prints a line for people, as far as the board can. Context: any, also after a fault. */
void hrlp_cpu_print(const char *text);

/*
 * A processor that reads flash by instructions of their own has two address spaces, and data take RAM even if they are
 * constant. The kernel's tables, names and texts stay in flash there:
 *
 *     HRLP_CONST struct row *rows;       points to constants, which are read as usual; so is what it defines
 *     HRLP_CONST_AT(task)->rank          `task` is a plain pointer to an object that is defined with HRLI_CONSTANT
 *     HRLP_READABLE(name, 24)            in a function that does not return: a text that any code can read, or the end of
 *                                        it in a copy of so many bytes
 *
 * hrl/types.h has HRLI_CONSTANT and HRLI_TEXT for objects and texts of applications, as public headers have no such
 * pointers where C++ compiles them. What hot paths read and is small may stay in RAM. Ports with one address space get
 * hrlp_no_const.h.
 *
 * HRLP_TEXT("...") within a function is a text for hrlp_cpu_print_text. HRLP_CPU_STOP(reason, file, line), of two
 * literals, ends in hrl_assert_hook (hrl/hooks.h) with texts that it can read. Ports without it get hrlp_no_text.h.
 */

/* Ends the program after a fault or failed assertion; status 0 means success. Context: any. */
_Noreturn void hrlp_cpu_halt(int status);

/*
 * The number of the highest set bit, 0..31. `bits` is not 0. The port defines HRLP_CPU_SEARCHES_BITS:
 * whether that takes so many instructions that the kernel avoids it. Context: any.
 */
static inline unsigned hrlp_cpu_highest_bit(uint32_t bits);

/*
 * A port defines HRLP_CPU_IS_SHORT as 1 if instructions are so short that most reach few registers, and little beyond a
 * pointer: what is used most then stands before arrays (kernel/core/core.h), and is stored early
 * (kernel/thread/dispatch.h).
 */

/*
 * The port defines HRLP_CPU_LINKS: whether these exist. What is between a linked load of a word and a
 * store to it that returns true was done in one step: no interrupt came in. If the store returns
 * false it has stored nothing. Short, without another store in between, as an interrupt makes it all
 * be done again. Context: any.
 */
static inline hrli_number hrlp_cpu_load_linked(const volatile hrli_number *word);
static inline bool hrlp_cpu_store_linked(volatile hrli_number *word, hrli_number value);
static inline void *hrlp_cpu_load_pointer_linked(void *const volatile *word);
static inline bool hrlp_cpu_store_pointer_linked(void *volatile *word, void *value);

/*
 * The port defines HRLP_CPU_LEAVES: whether this costs less than hrlp_cpu_request_switch. It does
 * the same as that in a thread with interrupts enabled, and returns `kept`. Context: a thread,
 * interrupts enabled.
 */
static inline void (*hrlp_cpu_leave(void (*kept)(void)))(void);

/*
 * The same, and the caller says where to: `next` is the saved stack pointer of a thread, and that of the caller
 * goes to `stack`. Context: a thread, interrupts masked, which they are not afterwards.
 */
static inline void hrlp_cpu_leave_to(void **stack, void *next);

/*
 * With it: hrlp_cpu_stack_prepare of a thread that calls body(), and then, on an empty stack again,
 * next(), which does not return. Context: start-up.
 */
static inline void *hrlp_cpu_stack_prepare_call(void *stack, size_t bytes, void (*body)(void),
                                                void (*next)(void));

/*
 * The port defines HRLP_CPU_ENDS_HANDLERS: whether a cell's handler can choose the next thread, so
 * that the switch is its end. Such a handler is declared by HRLP_CPU_ENDING_HANDLER(name, general):
 * `name` is called if the interrupt came into a thread, `general` if it came into a handler. Both run
 * with interrupts masked, take the stack pointer of what was interrupted, and return this.
 */
struct hrlp_cpu_end {
    void *to;   /* the stack pointer of the thread to run; NULL: go on with what was interrupted */
    void *from; /* hrlp_cpu_saved of what was interrupted; with NULL, what was taken */
};

/* The stack pointer to save for that thread. */
static inline void *hrlp_cpu_saved(void *interrupted);

/*
 * The port defines HRLP_CPU_SHORTENS_ALARMS as 1 if 32 bits are so many instructions that the usual expiry of an
 * alarm has code of its own (kernel/sync/short_alarm.h). Handlers run with interrupts masked then, and cells have
 * hrlp_<device>_arm_near (hrlp_cell.h). These load and store the lower half of a word alone, hrlp_cpu_load_low_const
 * that of a constant. Context: any.
 */
static inline uint16_t hrlp_cpu_load_low(const uint32_t *word);
static inline void hrlp_cpu_store_low(uint32_t *word, uint16_t low);

/*
 * The port defines HRLP_CPU_IS_NARROW as 1 if registers have 8 bits, so that code which counts with fewer than 32 bits
 * is worth its lines. It has hrlp_cpu_bit(number) then: 1 << number, of number 0 to 15. Context: any. And
 * hrlp_cpu_request_switch_in_loop(), the same as hrlp_cpu_request_switch in a thread with interrupts enabled, for code
 * that has next to nothing to keep: the compiler saves what it needs again. hrlp_cpu_base(pointer) is
 * that pointer, from which the compiler then addresses what it is said to, instead of from another. Ports without
 * it get hrlp_no_narrow.h.
 *
 * The port defines HRLP_CPU_SWITCHES_AT_END: whether a handler can switch where it ends, without a request.
 * HRLP_CPU_SWITCHING_HANDLER(name, ending, nested) then declares the handler `name`. If the interrupt came
 * into a thread it calls hrlp_cpu_at_end ending(void), else void nested(void). What is to be saved for the
 * interrupted thread is void *hrlp_cpu_saved_at_end(void). `ending` returns hrlp_cpu_go(saved, next), with that
 * value and the saved stack pointer of the thread to go on with, or hrlp_cpu_stay(): the interrupted thread
 * goes on. Context of all: the handler.
 *
 * A port that can end a job which an interrupt came into (redirects in port.toml) has, at file scope,
 * HRLP_CPU_REDIRECTING_HANDLER(name, function): the handler `name` calls void (*function(void))(void). With what that
 * returns the interrupted code goes on, in place of what it did, on its stack: a function that does not return.
 * NULL: it goes on as it was. The interrupt has come into a thread, or into a line's handler
 * (hrlp_line_interrupted).
 */
#include "hrlp_cpu_arch.h"

#ifndef HRLP_CONST
#include "hrlp_no_const.h"
#endif

#ifndef HRLP_CPU_IS_SHORT
#define HRLP_CPU_IS_SHORT 0
#endif

#ifndef HRLP_CPU_SHORTENS_ALARMS
#include "hrlp_no_short.h"
#endif

#ifndef HRLP_CPU_IS_NARROW
#include "hrlp_no_narrow.h"
#endif

#ifndef HRLP_CPU_SWITCHES_AT_END /* most ports have none of this */
#include "hrlp_no_end.h"
#endif

/* Prints a text of the kernel's own, or a name. Context: any, also after a fault. */
static inline void hrlp_cpu_print_text(HRLP_CONST char *text);

#ifndef HRLP_TEXT
#include "hrlp_no_text.h"
#endif

/*
 * HRLP_CPU_ENTRY(handler), at file scope without a semicolon, beside the definition of a handler: what the port
 * needs to enter it. Most ports need nothing, as the hardware calls handlers, or one entry serves all.
 */
#ifndef HRLP_CPU_ENTRY
#define HRLP_CPU_ENTRY(handler)
#endif

#endif
