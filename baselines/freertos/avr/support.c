/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include "hrlp_upcalls.h"
#include <stdint.h>

/*
 * What sources that both kernels share ask our port for. Under FreeRTOS no handler has a stack of its own, and nothing
 * owes a switch at the end of a driver's lock.
 */
uint8_t hrlp_avr_started;
volatile uint8_t hrlp_avr_owes;

void hrlp_avr_give_way(void) {}

/* For the message after a fault. FreeRTOS's names are in RAM, and tasks are given none (docs/guide/avr.md). */
HRLP_CONST char *hrli_cpu_current_name(void)
{
    return HRLP_TEXT("FreeRTOS");
}
