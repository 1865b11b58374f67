/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* The interrupt lines of nRF52840_xxAA. */
#ifndef HRLP_LINES_CONTROLLER_H
#define HRLP_LINES_CONTROLLER_H

#define HRLP_IRQ_LINES 48
#define HRLP_ARMV7M_LINES(ROW)                                                                     \
    ROW(POWER_CLOCK)                                                                               \
    ROW(RADIO)                                                                                     \
    ROW(UARTE0_UART0)                                                                              \
    ROW(SPIM0_SPIS0_TWIM0_TWIS0_SPI0_TWI0)                                                         \
    ROW(SPIM1_SPIS1_TWIM1_TWIS1_SPI1_TWI1)                                                         \
    ROW(NFCT)                                                                                      \
    ROW(GPIOTE)                                                                                    \
    ROW(SAADC)                                                                                     \
    ROW(TIMER0)                                                                                    \
    ROW(TIMER1)                                                                                    \
    ROW(TIMER2)                                                                                    \
    ROW(RTC0)                                                                                      \
    ROW(TEMP)                                                                                      \
    ROW(RNG)                                                                                       \
    ROW(ECB)                                                                                       \
    ROW(CCM_AAR)                                                                                   \
    ROW(WDT)                                                                                       \
    ROW(RTC1)                                                                                      \
    ROW(QDEC)                                                                                      \
    ROW(COMP_LPCOMP)                                                                               \
    ROW(SWI0_EGU0)                                                                                 \
    ROW(SWI1_EGU1)                                                                                 \
    ROW(SWI2_EGU2)                                                                                 \
    ROW(SWI3_EGU3)                                                                                 \
    ROW(SWI4_EGU4)                                                                                 \
    ROW(SWI5_EGU5)                                                                                 \
    ROW(TIMER3)                                                                                    \
    ROW(TIMER4)                                                                                    \
    ROW(PWM0)                                                                                      \
    ROW(PDM)                                                                                       \
    ROW(RESERVED30)                                                                                \
    ROW(RESERVED31)                                                                                \
    ROW(MWU)                                                                                       \
    ROW(PWM1)                                                                                      \
    ROW(PWM2)                                                                                      \
    ROW(SPIM2_SPIS2_SPI2)                                                                          \
    ROW(RTC2)                                                                                      \
    ROW(I2S)                                                                                       \
    ROW(FPU)                                                                                       \
    ROW(USBD)                                                                                      \
    ROW(UARTE1)                                                                                    \
    ROW(QSPI)                                                                                      \
    ROW(CRYPTOCELL)                                                                                \
    ROW(RESERVED43)                                                                                \
    ROW(RESERVED44)                                                                                \
    ROW(PWM3)                                                                                      \
    ROW(RESERVED46)                                                                                \
    ROW(SPIM3)

#endif
