/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS as it is measured everywhere, on chips of 8 bits with 2 or 4 KiB of RAM: what an expert makes smaller there.
 * Its AVR ports have no selection by CLZ, and no interrupt priorities.
 */
#ifndef FREERTOS_AVR_CONFIG_H
#define FREERTOS_AVR_CONFIG_H

#include <avr/wdt.h>

#ifdef BASELINE_NOTIFY
#include "../notify/FreeRTOSConfig.h"
#define BASELINE_BITS HRL_GEN_NOTIFY_BITS
#define BASELINE_BEFORE_IDLE() baseline_before_idle()
void baseline_before_idle(void); /* notify.c */
#define BASELINE_IDLE_STACK                                                                        \
    80 /* what the cell's handler calls is on it, beside a task's registers */
#else
#include "../variants/FreeRTOSConfig.h"
#define BASELINE_BITS HRL_GEN_TICK_BITS
#define BASELINE_IDLE_STACK 64
#endif

/* The port "ATmega" would tick by the watchdog, every 15 ms or more, where that can interrupt: timer 0 instead. */
#undef WDIE

#undef configTICK_TYPE_WIDTH_IN_BITS
#if BASELINE_BITS == 16 /* no task waits for longer; else as everywhere */
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_16_BITS
#else
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#endif
#undef configMAX_PRIORITIES
#define configMAX_PRIORITIES HRL_GEN_PRIORITIES /* each takes 9 bytes of RAM or more */
#undef configMINIMAL_STACK_SIZE
#define configMINIMAL_STACK_SIZE BASELINE_IDLE_STACK /* bytes; FreeRTOS's own demo for AVR has 85 */
#undef configMAX_TASK_NAME_LEN
#define configMAX_TASK_NAME_LEN 1 /* no names in RAM */
#undef configUSE_PORT_OPTIMISED_TASK_SELECTION
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0

#endif
