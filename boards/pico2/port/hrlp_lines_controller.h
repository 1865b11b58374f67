/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* The interrupt lines of RP2350. */
#ifndef HRLP_LINES_CONTROLLER_H
#define HRLP_LINES_CONTROLLER_H

#define HRLP_IRQ_LINES 52
#define HRLP_ARMV7M_LINES(ROW)                                                                     \
    ROW(TIMER0_IRQ_0)                                                                              \
    ROW(TIMER0_IRQ_1)                                                                              \
    ROW(TIMER0_IRQ_2)                                                                              \
    ROW(TIMER0_IRQ_3)                                                                              \
    ROW(TIMER1_IRQ_0)                                                                              \
    ROW(TIMER1_IRQ_1)                                                                              \
    ROW(TIMER1_IRQ_2)                                                                              \
    ROW(TIMER1_IRQ_3)                                                                              \
    ROW(PWM_IRQ_WRAP_0)                                                                            \
    ROW(PWM_IRQ_WRAP_1)                                                                            \
    ROW(DMA_IRQ_0)                                                                                 \
    ROW(DMA_IRQ_1)                                                                                 \
    ROW(DMA_IRQ_2)                                                                                 \
    ROW(DMA_IRQ_3)                                                                                 \
    ROW(USBCTRL_IRQ)                                                                               \
    ROW(PIO0_IRQ_0)                                                                                \
    ROW(PIO0_IRQ_1)                                                                                \
    ROW(PIO1_IRQ_0)                                                                                \
    ROW(PIO1_IRQ_1)                                                                                \
    ROW(PIO2_IRQ_0)                                                                                \
    ROW(PIO2_IRQ_1)                                                                                \
    ROW(IO_IRQ_BANK0)                                                                              \
    ROW(IO_IRQ_BANK0_NS)                                                                           \
    ROW(IO_IRQ_QSPI)                                                                               \
    ROW(IO_IRQ_QSPI_NS)                                                                            \
    ROW(SIO_IRQ_FIFO)                                                                              \
    ROW(SIO_IRQ_BELL)                                                                              \
    ROW(SIO_IRQ_FIFO_NS)                                                                           \
    ROW(SIO_IRQ_BELL_NS)                                                                           \
    ROW(SIO_IRQ_MTIMECMP)                                                                          \
    ROW(CLOCKS_IRQ)                                                                                \
    ROW(SPI0_IRQ)                                                                                  \
    ROW(SPI1_IRQ)                                                                                  \
    ROW(UART0_IRQ)                                                                                 \
    ROW(UART1_IRQ)                                                                                 \
    ROW(ADC_IRQ_FIFO)                                                                              \
    ROW(I2C0_IRQ)                                                                                  \
    ROW(I2C1_IRQ)                                                                                  \
    ROW(OTP_IRQ)                                                                                   \
    ROW(TRNG_IRQ)                                                                                  \
    ROW(IRQ40)                                                                                     \
    ROW(IRQ41)                                                                                     \
    ROW(PLL_SYS_IRQ)                                                                               \
    ROW(PLL_USB_IRQ)                                                                               \
    ROW(POWMAN_IRQ_POW)                                                                            \
    ROW(POWMAN_IRQ_TIMER)                                                                          \
    ROW(IRQ46)                                                                                     \
    ROW(IRQ47)                                                                                     \
    ROW(IRQ48)                                                                                     \
    ROW(IRQ49)                                                                                     \
    ROW(IRQ50)                                                                                     \
    ROW(IRQ51)

#endif
