/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The assembly of FreeRTOS's RISC-V port as it is: registers are saved on the stack of the task that the
 * core's private memory names, and the kernel is called by what knows the core.
 */
#define pxCurrentTCB pxPortCurrentTCB
#define vTaskSwitchContext vPortSwitchContext
#define xTaskIncrementTick xPortIncrementTick
#include "portASM.S"
