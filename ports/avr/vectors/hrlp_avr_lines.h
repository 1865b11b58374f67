/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_AVR_LINES_H
#define HRLP_AVR_LINES_H

#include <avr/io.h>

/*
 * The interrupts of a chip in the order of its vector table, from vector 1 on; also for assembly.
 *
 *     ROW(name, enable register, its bit, flag register, its bit)
 *
 * NO_FLAG, 0 where a line is up as long as its cause, or where its device clears the flag.
 */
#if defined __AVR_ATmega128__
#define HRLP_AVR_LINES(ROW)                                                                        \
    ROW(INT0, EIMSK, 0, EIFR, 0)                                                                   \
    ROW(INT1, EIMSK, 1, EIFR, 1)                                                                   \
    ROW(INT2, EIMSK, 2, EIFR, 2)                                                                   \
    ROW(INT3, EIMSK, 3, EIFR, 3)                                                                   \
    ROW(INT4, EIMSK, 4, EIFR, 4)                                                                   \
    ROW(INT5, EIMSK, 5, EIFR, 5)                                                                   \
    ROW(INT6, EIMSK, 6, EIFR, 6)                                                                   \
    ROW(INT7, EIMSK, 7, EIFR, 7)                                                                   \
    ROW(TIMER2_COMP, TIMSK, 7, TIFR, 7)                                                            \
    ROW(TIMER2_OVF, TIMSK, 6, TIFR, 6)                                                             \
    ROW(TIMER1_CAPT, TIMSK, 5, TIFR, 5)                                                            \
    ROW(TIMER1_COMPA, TIMSK, 4, TIFR, 4)                                                           \
    ROW(TIMER1_COMPB, TIMSK, 3, TIFR, 3)                                                           \
    ROW(TIMER1_OVF, TIMSK, 2, TIFR, 2)                                                             \
    ROW(TIMER0_COMP, TIMSK, 1, TIFR, 1)                                                            \
    ROW(TIMER0_OVF, TIMSK, 0, TIFR, 0)                                                             \
    ROW(SPI_STC, SPCR, 7, NO_FLAG, 0)                                                              \
    ROW(USART0_RX, UCSR0B, 7, NO_FLAG, 0)                                                          \
    ROW(USART0_UDRE, UCSR0B, 5, NO_FLAG, 0)                                                        \
    ROW(USART0_TX, UCSR0B, 6, UCSR0A, 6)                                                           \
    ROW(ADC, ADCSRA, 3, NO_FLAG, 0)                                                                \
    ROW(EE_READY, EECR, 3, NO_FLAG, 0)                                                             \
    ROW(ANALOG_COMP, ACSR, 3, NO_FLAG, 0)                                                          \
    ROW(TIMER1_COMPC, ETIMSK, 0, ETIFR, 0)                                                         \
    ROW(TIMER3_CAPT, ETIMSK, 5, ETIFR, 5)                                                          \
    ROW(TIMER3_COMPA, ETIMSK, 4, ETIFR, 4)                                                         \
    ROW(TIMER3_COMPB, ETIMSK, 3, ETIFR, 3)                                                         \
    ROW(TIMER3_COMPC, ETIMSK, 1, ETIFR, 1)                                                         \
    ROW(TIMER3_OVF, ETIMSK, 2, ETIFR, 2)                                                           \
    ROW(USART1_RX, UCSR1B, 7, NO_FLAG, 0)                                                          \
    ROW(USART1_UDRE, UCSR1B, 5, NO_FLAG, 0)                                                        \
    ROW(USART1_TX, UCSR1B, 6, UCSR1A, 6)                                                           \
    ROW(TWI, TWCR, 0, NO_FLAG, 0)                                                                  \
    ROW(SPM_READY, SPMCSR, 7, NO_FLAG, 0)
#elif defined __AVR_ATmega328P__
#define HRLP_AVR_LINES(ROW)                                                                        \
    ROW(INT0, EIMSK, 0, EIFR, 0)                                                                   \
    ROW(INT1, EIMSK, 1, EIFR, 1)                                                                   \
    ROW(PCINT0, PCICR, 0, PCIFR, 0)                                                                \
    ROW(PCINT1, PCICR, 1, PCIFR, 1)                                                                \
    ROW(PCINT2, PCICR, 2, PCIFR, 2)                                                                \
    ROW(WDT, WDTCSR, 6, NO_FLAG, 0)                                                                \
    ROW(TIMER2_COMPA, TIMSK2, 1, TIFR2, 1)                                                         \
    ROW(TIMER2_COMPB, TIMSK2, 2, TIFR2, 2)                                                         \
    ROW(TIMER2_OVF, TIMSK2, 0, TIFR2, 0)                                                           \
    ROW(TIMER1_CAPT, TIMSK1, 5, TIFR1, 5)                                                          \
    ROW(TIMER1_COMPA, TIMSK1, 1, TIFR1, 1)                                                         \
    ROW(TIMER1_COMPB, TIMSK1, 2, TIFR1, 2)                                                         \
    ROW(TIMER1_OVF, TIMSK1, 0, TIFR1, 0)                                                           \
    ROW(TIMER0_COMPA, TIMSK0, 1, TIFR0, 1)                                                         \
    ROW(TIMER0_COMPB, TIMSK0, 2, TIFR0, 2)                                                         \
    ROW(TIMER0_OVF, TIMSK0, 0, TIFR0, 0)                                                           \
    ROW(SPI_STC, SPCR, 7, NO_FLAG, 0)                                                              \
    ROW(USART_RX, UCSR0B, 7, NO_FLAG, 0)                                                           \
    ROW(USART_UDRE, UCSR0B, 5, NO_FLAG, 0)                                                         \
    ROW(USART_TX, UCSR0B, 6, UCSR0A, 6)                                                            \
    ROW(ADC, ADCSRA, 3, NO_FLAG, 0)                                                                \
    ROW(EE_READY, EECR, 3, NO_FLAG, 0)                                                             \
    ROW(ANALOG_COMP, ACSR, 3, NO_FLAG, 0)                                                          \
    ROW(TWI, TWCR, 0, NO_FLAG, 0)                                                                  \
    ROW(SPM_READY, SPMCSR, 7, NO_FLAG, 0)
#else
#error "hrlp_avr_lines.h does not know this chip: add its vector table"
#endif

#endif
