/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_avr_timer16.h"
#include "hrlp_clock.h"
#include "hrlp_cpu.h"

struct hrlp_avr_timer16 hrlp_avr_timer16;
uint16_t hrlp_avr_timer16_period_0, hrlp_avr_timer16_period_1, hrlp_avr_timer16_period_2;
uint16_t hrlp_avr_timer16_period_4, hrlp_avr_timer16_period_5, hrlp_avr_timer16_period_6;

/* The prescaler that the timers share, held at 0 and let go (the ATmega128 has it in another register). */
#ifdef GTCCR
#define HOLD() (GTCCR = 1u << TSM | 1u << PSRSYNC)
#define LET_GO() (GTCCR = 0)
#else
#define HOLD() (SFIOR = 1u << TSM | 1u << PSR321)
#define LET_GO() (SFIOR = 0)
#endif

/* The 8-bit timer of the same prescaler starts with them, by the tap that the plan chose, if it uses that timer. */
#if defined(HRL_BOARD_AVR_TIMER8_0_PRESCALER)
#define START_SHORT() (TCCR0B = HRLP_AVR_TIMER16_TAP(HRL_BOARD_AVR_TIMER8_0_PRESCALER))
#elif defined(HRL_BOARD_AVR_TIMER8_2_PRESCALER)
#define START_SHORT() (TCCR2 = HRLP_AVR_TIMER16_TAP(HRL_BOARD_AVR_TIMER8_2_PRESCALER))
#else
#define START_SHORT() ((void)0)
#endif

/*
 * The registers are as reset left them: the timers count up from 0 and touch no pin. Two stores of two cycles
 * each start them, which hrlp_avr_timer16_behind tells of where a count is a cycle.
 */
void hrlp_clock_start(void)
{
    HOLD();
#ifdef TCCR3B
    __asm__ volatile("sts %0, %2\n\tsts %1, %2"
                     :
                     : "n"(_SFR_MEM_ADDR(TCCR1B)), "n"(_SFR_MEM_ADDR(TCCR3B)),
                       "r"((uint8_t)HRLP_AVR_TIMER16_SELECT));
#else
    TCCR1B = HRLP_AVR_TIMER16_SELECT;
#endif
    START_SHORT();
    LET_GO();
#ifdef TIMSK1
    TIMSK1 |= 1u << TOIE1;
#else
    TIMSK |= 1u << TOIE1;
#endif
}

/*
 * The overflow's entry in the vector table. It counts, in 8-bit steps; once in 2^32 counts the kernel is told, by the
 * handler that is generated for the clock.
 */
void TIMER1_OVF_Handler_entry(void);

__attribute__((naked, used)) void TIMER1_OVF_Handler_entry(void)
{
    __asm__ volatile("push r24\n\tin r24, __SREG__\n\tpush r24\n\t"
                     "lds r24, %0\n\tsubi r24, -1\n\tsts %0, r24\n\tbrne 1f\n\t"
                     "lds r24, %0 + 1\n\tsubi r24, -1\n\tsts %0 + 1, r24\n\tbrne 1f\n\t"
                     "ldi r24, 1\n\tsts %1, r24\n\t"
                     "pop r24\n\tout __SREG__, r24\n\tpop r24\n\t"
                     "%~jmp Clock_Handler_entry\n"
                     "1:\tpop r24\n\tout __SREG__, r24\n\tpop r24\n\treti"
                     :
                     : "i"(&hrlp_avr_timer16.high), "i"(&hrlp_avr_timer16.wrapped));
}
