/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include "hrlp_irq.h"
#include <hrl/hooks.h>
#include <stdint.h>

/*
 * Threads run on their own stacks, handlers and the dispatch on the main stack. switch.S says what a thread that
 * does not run has on its stack.
 */
volatile uint8_t hrlp_avr_owes;
uint8_t hrlp_avr_started;

const uint8_t hrlp_avr_highest[16] PROGMEM = {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3};
const uint8_t hrlp_avr_bits[8] PROGMEM = {1, 2, 4, 8, 16, 32, 64, 128};

/* switch.S */
void hrlp_avr_begin(void);

/* Below the top: the argument, the entry, the address to go on at, each with its low byte above. */
static uint8_t *put(uint8_t *top, uintptr_t address)
{
    *top = (uint8_t)address;
    *(top - 1) = (uint8_t)(address >> 8);
    return top - 2;
}

void *hrlp_cpu_stack_prepare(void *stack, size_t bytes, void (*entry)(void *), void *argument)
{
    uint8_t *top = put((uint8_t *)stack + bytes - 1, (uintptr_t)argument);

    return put(put(top, (uintptr_t)entry), (uintptr_t)hrlp_avr_begin);
}

void hrlp_avr_unlock(uint8_t state)
{
    if (state != 0) {
        hrlp_irq_unmask();
    }
}

/* In an object of its own (idle.S): what runs there is not kernel overhead. */
_Noreturn void hrlp_idle_loop(void);

/* NULL unless the application defines it. */
__attribute__((weak)) void hrl_idle_hook(void);

static __attribute__((used)) _Noreturn void hrlp_idle(void)
{
    hrlp_irq_unmask();
    while (hrl_idle_hook != NULL) {
        hrl_idle_hook();
    }
    hrlp_idle_loop();
}

_Noreturn void hrlp_cpu_idle(void)
{
    hrlp_avr_started = 1;
    hrlp_idle();
}

_Noreturn void hrlp_cpu_become_idle(void *stack, size_t bytes)
{
    uint8_t *top = (uint8_t *)stack + bytes - 1;

    hrlp_avr_started = 1;
    SP = (uint16_t)(uintptr_t)top;
    __asm__ volatile("%~jmp %x0" : : "p"(hrlp_idle) : "memory");
    __builtin_unreachable();
}
