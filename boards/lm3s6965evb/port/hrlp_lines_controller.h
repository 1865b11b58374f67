/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_LINES_CONTROLLER_H
#define HRLP_LINES_CONTROLLER_H

/*
 * The NVIC's lines of the Stellaris LM3S6965 (its data sheet, "Interrupts"), of which some belong to devices
 * that only other chips of the family have.
 *
 * ROW(NAME) for each line from 0 on, in order; a function NAME_Handler is the line's.
 */
#define HRLP_IRQ_LINES 44
/* clang-format off */
#define HRLP_ARMV7M_LINES(ROW)                                                                       \
    ROW(GPIOA) ROW(GPIOB) ROW(GPIOC) ROW(GPIOD) ROW(GPIOE) ROW(UART0) ROW(UART1) ROW(SSI0)         \
    ROW(I2C0) ROW(PWM_FAULT) ROW(PWM0) ROW(PWM1) ROW(PWM2) ROW(QEI0) ROW(ADC0) ROW(ADC1)           \
    ROW(ADC2) ROW(ADC3) ROW(WATCHDOG) ROW(TIMER0A) ROW(TIMER0B) ROW(TIMER1A) ROW(TIMER1B)          \
    ROW(TIMER2A) ROW(TIMER2B) ROW(COMP0) ROW(COMP1) ROW(COMP2) ROW(SYSCTL) ROW(FLASH)              \
    ROW(GPIOF) ROW(GPIOG) ROW(GPIOH) ROW(UART2) ROW(SSI1) ROW(TIMER3A) ROW(TIMER3B) ROW(I2C1)      \
    ROW(QEI1) ROW(CAN0) ROW(CAN1) ROW(CAN2) ROW(ETHERNET) ROW(HIBERNATE)
/* clang-format on */

#endif
