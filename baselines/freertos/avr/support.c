/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

/*
 * What sources that both kernels share ask our port for. Under FreeRTOS no handler has a stack of its own, and nothing
 * owes a switch at the end of a driver's lock.
 */
extern uint8_t hrlp_avr_started;
extern volatile uint8_t hrlp_avr_owes;
void hrlp_avr_give_way(void);

uint8_t hrlp_avr_started;
volatile uint8_t hrlp_avr_owes;

void hrlp_avr_give_way(void) {}
