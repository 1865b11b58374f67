/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_fault.h"
#include "hrlp_irq.h"
#include <stdint.h>

/*
 * From reset to main: vector table, initialised data, zeroed data. The names in the table are weak;
 * a definition of one takes the exception.
 */
extern uint32_t hrl_link_data_load[], hrl_link_data_start[], hrl_link_data_end[];
extern uint32_t hrl_link_bss_start[], hrl_link_bss_end[], hrl_link_main_stack_top[];

int main(void);

/* System Handler Priority Registers: SVC; SysTick and PendSV. All start at HRLP_IRQ_OF_DISPATCH. */
#define SHPR2 (*(volatile uint32_t *)0xE000ED1Cu)
#define SHPR3 (*(volatile uint32_t *)0xE000ED20u)
/* Configuration and Control; System Handler Control and State (Armv7-M ARM, B3.2). */
#define CCR (*(volatile uint32_t *)0xE000ED14u)
#define SHCSR (*(volatile uint32_t *)0xE000ED24u)
/* Coprocessor Access Control Register. */
#define CPACR (*(volatile uint32_t *)0xE000ED88u)

__attribute__((cold)) _Noreturn void Reset_Handler(void)
{
    uint32_t *from = hrl_link_data_load;

    for (uint32_t *to = hrl_link_data_start; to < hrl_link_data_end;) {
        *to++ = *from++;
    }
    for (uint32_t *to = hrl_link_bss_start; to < hrl_link_bss_end;) {
        *to++ = 0;
    }
    SHPR2 = 0xE0000000u;
    SHPR3 = 0xE0E00000u;
    CCR |= 1u << 4;    /* a division by zero is a fault */
    SHCSR = 3u << 16u; /* faults of memory are exceptions of their own (fault.c) */
#ifdef __ARM_FP        /* the compiler uses the floating-point unit, which reset leaves off */
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

/*
 * Lines without a handler defined by name enter here. The kernel's part is linked where a handler
 * is attached; without it the fault handler finds everything as the hardware left it.
 */
OR_FAULT void hrli_interrupt_taken(void); /* takes the exception's number, in r0 */

__attribute__((naked, used)) void hrlp_armv7m_line(void)
{
    __asm__ volatile("mrs r0, ipsr\n\t"
                     "b hrli_interrupt_taken");
}

/* Lines 0 to 31 of the MPS2's CMSDK subsystem, and the rows of the architecture's table. */
/* clang-format off */
#define LINES(ROW)                                                                                 \
    ROW(UARTRX0) ROW(UARTTX0) ROW(UARTRX1) ROW(UARTTX1) ROW(UARTRX2) ROW(UARTTX2)                  \
    ROW(PORT0_ALL) ROW(PORT1_ALL) ROW(TIMER0) ROW(TIMER1) ROW(DUALTIMER) ROW(SPI)                  \
    ROW(UARTOVF) ROW(ETHERNET) ROW(I2S) ROW(TSC) ROW(PORT2_ALL) ROW(PORT3_ALL)                     \
    ROW(UARTRX3) ROW(UARTTX3) ROW(UARTRX4) ROW(UARTTX4) ROW(ADCSPI) ROW(SHIELDSPI)                 \
    ROW(PORT0_0) ROW(PORT0_1) ROW(PORT0_2) ROW(PORT0_3)                                            \
    ROW(PORT0_4) ROW(PORT0_5) ROW(PORT0_6) ROW(PORT0_7)
#define OR_LINE(name) __attribute__((weak, alias("hrlp_armv7m_line"))) void name##_Handler(void);
#define VECTOR(name) name##_Handler,

LINES(OR_LINE)

typedef void (*vector)(void);

__attribute__((section(".vectors"), used)) static const vector vectors[16 + HRLP_IRQ_LINES] = {
    (vector)(uintptr_t)hrl_link_main_stack_top, Reset_Handler, NMI_Handler, HardFault_Handler,
    MemManage_Handler, BusFault_Handler, UsageFault_Handler, 0,
    0, 0, 0, SVC_Handler,
    DebugMon_Handler, 0, PendSV_Handler, SysTick_Handler,
    LINES(VECTOR)
};
/* clang-format on */
