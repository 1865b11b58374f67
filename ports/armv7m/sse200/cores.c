/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cortex_m_memory.h"
#include "hrlp_cores.h"
#include "hrlp_start_controller.h"
#include "hrlp_upcalls.h"

#if HRL_CORES == 1 /* as what follows is of several */
#error "ports/armv7m/sse200 is for boards with cores = 2"
#endif

struct hrlp_armv7m_lock hrlp_armv7m_locks[HRLP_LOCKS];
uint32_t hrlp_armv7m_met;
uint32_t hrlp_armv7m_meetings;

int main(void);
_Noreturn void hrl_start(void);
void Reset_Handler(void);
_Noreturn void hrlp_armv7m_begin(uint32_t core);
void MHU0_Handler(void);

/*
 * Both cores begin here, with the stack pointer of core 0, so nothing is pushed before MSPLIM and the stack
 * pointer are the core's own. 0x4001F000 is CPU_IDENTITY.
 */
__attribute__((naked)) void Reset_Handler(void)
{
    __asm__ volatile(
        "movw r0, #0xF000\n\tmovt r0, #0x4001\n\tldr r0, [r0]\n\t"
        "movw r1, #:lower16:hrl_link_core_stride\n\tmovt r1, #:upper16:hrl_link_core_stride\n\t"
        "movw r2, #:lower16:hrl_link_core_limit\n\tmovt r2, #:upper16:hrl_link_core_limit\n\t"
        "mla r2, r0, r1, r2\n\t"
        "movw r3, #:lower16:hrl_link_main_stack_bytes\n\tmovt r3, #:upper16:hrl_link_main_stack_bytes\n\t"
        "add r3, r2\n\t"
        "msr msp, r3\n\t"
        "msr msplim, r2\n\t"
        "str r0, [r2, #-4]\n\t"
        "b hrlp_armv7m_begin");
}

/* The first values of all cores' variables, by .tdata and zeros. */
static void prepare_cores(void)
{
    extern const uint32_t hrl_link_core_data_start[], hrl_link_core_data_end[];
    extern char hrl_link_cores_start[], hrl_link_core_bytes[];

    for (unsigned core = 0; core < HRL_CORES; core++) {
        uint32_t *to = (uint32_t *)(hrl_link_cores_start + core * (uintptr_t)hrl_link_core_stride);
        uint32_t *end = (uint32_t *)((char *)to + (uintptr_t)hrl_link_core_bytes);

        for (const uint32_t *from = hrl_link_core_data_start; from < hrl_link_core_data_end;) {
            *to++ = *from++;
        }
        while (to < end) {
            *to++ = 0;
        }
    }
}

/* From Reset_Handler on, on a stack of the core's own: to main, or to hrl_start. */
_Noreturn void hrlp_armv7m_begin(uint32_t core)
{
    if (core == 0) {
        hrlp_cortex_m_prepare_memory();
        prepare_cores();
    }
    hrlp_cortex_m_prepare();
    HRLP_ARMV7M_CCR |= 1u << 10; /* a hard fault may use the stack below its limit, MSPLIM */
    if (core != 0) {
        hrl_start();
    }
    (void)main();
    for (;;) {
    }
}

/*
 * What compilers call for the thread pointer: it may change r0, ip and lr. Thread-local variables begin 8 bytes behind it
 * (Addenda to the ABI for the Arm Architecture), and these end at the number.
 */
__attribute__((naked)) void __aeabi_read_tp(void);
__attribute__((naked)) void __aeabi_read_tp(void)
{
    __asm__ volatile("movw ip, #:lower16:hrl_link_core_pointer_bytes\n\t"
                     "mrs r0, msplim\n\t"
                     "sub r0, r0, ip\n\t"
                     "bx lr");
}

/* Cleared first: what is rung for from then on rings again. */
void MHU0_Handler(void)
{
    HRLP_SSE200_MHU0[hrlp_core_number()].clear = 1;
    __asm__ volatile("dsb" : : : "memory");
    hrli_core_rung();
}
