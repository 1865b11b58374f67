/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_INTERRUPT_H
#define HRL_INTERRUPT_H

#include <hrl/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Interrupts: a function for a line of the board's interrupt controller, its priority, and the
 * lock.
 *
 *     static void received(void *argument) { ... hrl_semaphore_give(argument); }
 *
 *     hrl_interrupt_attach(20, received, &bytes);
 *     hrl_interrupt_enable(20, 2);
 *
 * Priorities are 1 to 7, larger is more urgent, and there are two kinds. Up to HRL_INTERRUPT_KERNEL
 * a handler may make the calls of which it is said that interrupts may; the lock, and with it the
 * kernel, masks it. Above that it is never masked, neither by the lock nor by the kernel, and may
 * make no call but those of this header, without the lock, and those of which it is said that their
 * context is any. What the handler's calls wake runs when no handler runs any more; there is nothing
 * to do at its end. The timer cells, which release threads and serve time-outs, have priority 1:
 * handlers of 2 and 3 interrupt them, one of 1 can delay them.
 *
 * Where lines have no priorities in hardware (RISC-V with a PLIC), handlers do not interrupt each
 * other, the most urgent of those that are pending comes first, and there is nothing above the
 * kernel.
 *
 * Lines are numbered as the controller does, from 0. All calls take constant time. Context: any,
 * unless a call says otherwise.
 */
enum {
    HRL_INTERRUPT_LOWEST = 1,
    HRL_INTERRUPT_KERNEL = 3, /* the most urgent that the lock masks */
    HRL_INTERRUPT_HIGHEST = 7
};

/*
 * From now on interrupts of `line`, disabled as it is, call handler(argument). Where hardware
 * remembers the cause until the device is told, the handler tells it. It stops in hrl_assert_hook
 * if the line has a handler already, be it attached or defined under the name that the port has for
 * it. A line that is enabled without any is a fault at its first interrupt.
 */
void hrl_interrupt_attach(uint32_t line, void (*handler)(void *argument), void *argument);

/*
 * Disables `line` and forgets its handler. Do not call it from that handler itself if other code
 * may attach a handler meanwhile.
 */
void hrl_interrupt_detach(uint32_t line);

/*
 * Lets interrupts of `line` through, at `priority`; one that was raised meanwhile comes at once.
 * HRL_OK, or HRL_UNSUPPORTED and nothing done: nothing can be above the kernel on this hardware.
 */
enum hrl_status hrl_interrupt_enable(uint32_t line, uint32_t priority);

/* Keeps interrupts of `line` out; hardware remembers those that are raised meanwhile. */
void hrl_interrupt_disable(uint32_t line);

/*
 * Raises `line` as its device would, for tests and for lines that have none: HRL_OK, or
 * HRL_UNSUPPORTED and nothing done: only a device can raise it, as with a PLIC. In sources that are
 * compiled with HRL_CHECKS=0, and find the port's header, it is inline and believes its caller.
 */
#if defined HRL_CHECKS && !HRL_CHECKS && !defined HRLI_OUT_OF_LINE /* checks are the kernel's */
#ifdef __has_include                         /* as compilers have since C++17 and C23 */
#if __has_include("hrlp_raise_controller.h") /* else the kernel's, as without this header */
#define HRLI_RAISES_INLINE
#endif
#endif
#endif
#ifdef HRLI_RAISES_INLINE /* one store, as other kernels have it */
#include "hrlp_raise_controller.h"
static inline enum hrl_status hrl_interrupt_raise(uint32_t line)
{
    return hrlp_raise(line);
}
#else
enum hrl_status hrl_interrupt_raise(uint32_t line);
#endif

/*
 * Keeps out the interrupts that may call the kernel, and with them every switch of threads, up to
 * the unlock with what this returned: as short as possible. Nests. The thread that holds it waits
 * for nothing and does not yield. Cost: some instructions. Context: not above the kernel, where
 * there is nothing to keep out.
 */
typedef uint32_t hrl_interrupt_state;
hrl_interrupt_state hrl_interrupt_lock(void);
void hrl_interrupt_unlock(hrl_interrupt_state state);

#ifdef __cplusplus
}
#endif

#endif
