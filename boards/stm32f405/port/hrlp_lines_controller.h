/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* The interrupt lines of STM32F405RG. Written by `horolog board new`. */
#ifndef HRLP_LINES_CONTROLLER_H
#define HRLP_LINES_CONTROLLER_H

#define HRLP_IRQ_LINES 82
#define HRLP_ARMV7M_LINES(ROW)                                                                     \
    ROW(WWDG)                                                                                      \
    ROW(RESERVED1)                                                                                 \
    ROW(TAMP_STAMP)                                                                                \
    ROW(RTC_WKUP)                                                                                  \
    ROW(FLASH)                                                                                     \
    ROW(RESERVED5)                                                                                 \
    ROW(EXTI0)                                                                                     \
    ROW(EXTI1)                                                                                     \
    ROW(EXTI2)                                                                                     \
    ROW(EXTI3)                                                                                     \
    ROW(EXTI4)                                                                                     \
    ROW(DMA1_STREAM0)                                                                              \
    ROW(DMA1_STREAM1)                                                                              \
    ROW(DMA1_STREAM2)                                                                              \
    ROW(DMA1_STREAM3)                                                                              \
    ROW(DMA1_STREAM4)                                                                              \
    ROW(DMA1_STREAM5)                                                                              \
    ROW(DMA1_STREAM6)                                                                              \
    ROW(ADC)                                                                                       \
    ROW(CAN1_TX)                                                                                   \
    ROW(CAN1_RX0)                                                                                  \
    ROW(CAN1_RX1)                                                                                  \
    ROW(CAN1_SCE)                                                                                  \
    ROW(EXTI9_5)                                                                                   \
    ROW(TIM1_BRK_TIM9)                                                                             \
    ROW(TIM1_UP_TIM10)                                                                             \
    ROW(TIM1_TRG_COM_TIM11)                                                                        \
    ROW(TIM1_CC)                                                                                   \
    ROW(TIM2)                                                                                      \
    ROW(TIM3)                                                                                      \
    ROW(TIM4)                                                                                      \
    ROW(I2C1_EV)                                                                                   \
    ROW(I2C1_ER)                                                                                   \
    ROW(I2C2_EV)                                                                                   \
    ROW(I2C2_ER)                                                                                   \
    ROW(SPI1)                                                                                      \
    ROW(SPI2)                                                                                      \
    ROW(USART1)                                                                                    \
    ROW(USART2)                                                                                    \
    ROW(USART3)                                                                                    \
    ROW(EXTI15_10)                                                                                 \
    ROW(RTC_ALARM)                                                                                 \
    ROW(OTG_FS_WKUP)                                                                               \
    ROW(TIM8_BRK_TIM12)                                                                            \
    ROW(TIM8_UP_TIM13)                                                                             \
    ROW(TIM8_TRG_COM_TIM14)                                                                        \
    ROW(TIM8_CC)                                                                                   \
    ROW(DMA1_STREAM7)                                                                              \
    ROW(FSMC)                                                                                      \
    ROW(SDIO)                                                                                      \
    ROW(TIM5)                                                                                      \
    ROW(SPI3)                                                                                      \
    ROW(UART4)                                                                                     \
    ROW(UART5)                                                                                     \
    ROW(TIM6_DAC)                                                                                  \
    ROW(TIM7)                                                                                      \
    ROW(DMA2_STREAM0)                                                                              \
    ROW(DMA2_STREAM1)                                                                              \
    ROW(DMA2_STREAM2)                                                                              \
    ROW(DMA2_STREAM3)                                                                              \
    ROW(DMA2_STREAM4)                                                                              \
    ROW(RESERVED61)                                                                                \
    ROW(RESERVED62)                                                                                \
    ROW(CAN2_TX)                                                                                   \
    ROW(CAN2_RX0)                                                                                  \
    ROW(CAN2_RX1)                                                                                  \
    ROW(CAN2_SCE)                                                                                  \
    ROW(OTG_FS)                                                                                    \
    ROW(DMA2_STREAM5)                                                                              \
    ROW(DMA2_STREAM6)                                                                              \
    ROW(DMA2_STREAM7)                                                                              \
    ROW(USART6)                                                                                    \
    ROW(I2C3_EV)                                                                                   \
    ROW(I2C3_ER)                                                                                   \
    ROW(OTG_HS_EP1_OUT)                                                                            \
    ROW(OTG_HS_EP1_IN)                                                                             \
    ROW(OTG_HS_WKUP)                                                                               \
    ROW(OTG_HS)                                                                                    \
    ROW(RESERVED78)                                                                                \
    ROW(RESERVED79)                                                                                \
    ROW(RNG)                                                                                       \
    ROW(FPU)

#endif
