/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

/*
 * From reset to main: vector table, initialised data, zeroed data. The names in the table are weak;
 * who defines one takes the exception.
 */
extern uint32_t hrl_link_data_load[], hrl_link_data_start[], hrl_link_data_end[];
extern uint32_t hrl_link_bss_start[], hrl_link_bss_end[], hrl_link_main_stack_top[];

int main(void);
void hrlp_fault_handler(void);

/* System Handler Priority Registers: SVC; SysTick and PendSV. All start at the lowest priority. */
#define SHPR2 (*(volatile uint32_t *)0xE000ED1Cu)
#define SHPR3 (*(volatile uint32_t *)0xE000ED20u)
/* Coprocessor Access Control Register. */
#define CPACR (*(volatile uint32_t *)0xE000ED88u)

_Noreturn void Reset_Handler(void)
{
    uint32_t *from = hrl_link_data_load;

    for (uint32_t *to = hrl_link_data_start; to < hrl_link_data_end;) {
        *to++ = *from++;
    }
    for (uint32_t *to = hrl_link_bss_start; to < hrl_link_bss_end;) {
        *to++ = 0;
    }
    SHPR2 = 0xFF000000u;
    SHPR3 = 0xFFFF0000u;
#ifdef __ARM_FP /* the compiler uses the floating-point unit, which reset leaves off */
    CPACR |= 0xFu << 20;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
#endif
    (void)main();
    for (;;) {
    }
}

#define OR_FAULT __attribute__((weak, alias("fault_alias")))

__attribute__((naked, used)) static void fault_alias(void)
{
    __asm__ volatile("b hrlp_fault_handler");
}

OR_FAULT void NMI_Handler(void);
OR_FAULT void HardFault_Handler(void);
OR_FAULT void MemManage_Handler(void);
OR_FAULT void BusFault_Handler(void);
OR_FAULT void UsageFault_Handler(void);
OR_FAULT void SVC_Handler(void);
OR_FAULT void DebugMon_Handler(void);
OR_FAULT void PendSV_Handler(void);
OR_FAULT void SysTick_Handler(void);
OR_FAULT void TIMER0_Handler(void);
OR_FAULT void TIMER1_Handler(void);
OR_FAULT void DUALTIMER_Handler(void);

#define UNUSED fault_alias

typedef void (*vector)(void);

/* Kept in the rows of the architecture's table. */
/* clang-format off */
__attribute__((section(".vectors"), used)) static const vector vectors[16 + 32] = {
    (vector)(uintptr_t)hrl_link_main_stack_top, Reset_Handler, NMI_Handler, HardFault_Handler,
    MemManage_Handler, BusFault_Handler, UsageFault_Handler, 0,
    0, 0, 0, SVC_Handler,
    DebugMon_Handler, 0, PendSV_Handler, SysTick_Handler,
    /* lines 0 to 31 of the MPS2's CMSDK subsystem */
    UNUSED, UNUSED, UNUSED, UNUSED, UNUSED, UNUSED, UNUSED, UNUSED,
    TIMER0_Handler, TIMER1_Handler, DUALTIMER_Handler, UNUSED, UNUSED, UNUSED, UNUSED, UNUSED,
    UNUSED, UNUSED, UNUSED, UNUSED, UNUSED, UNUSED, UNUSED, UNUSED,
    UNUSED, UNUSED, UNUSED, UNUSED, UNUSED, UNUSED, UNUSED, UNUSED,
};
/* clang-format on */
