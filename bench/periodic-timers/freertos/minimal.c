/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "FreeRTOS.h"
/* needs the above */
#include "semphr.h"
#include "task.h"
#include "timers.h"

/* Two tasks, a semaphore and a software timer, which gives the semaphore every 10 ms. Only its size counts. */
static StaticSemaphore_t token_memory;
static SemaphoreHandle_t token;
static StaticTimer_t timer_memory;
static TimerHandle_t timer;

static void expired(TimerHandle_t self)
{
    (void)self;
    (void)xSemaphoreGive(token);
}

static void take(void *argument)
{
    (void)argument;
    for (;;) {
        (void)xSemaphoreTake(token, portMAX_DELAY);
    }
}

static void start(void *argument)
{
    (void)argument;
    (void)xTimerStart(timer, 0);
    for (;;) {
        vTaskDelay(pdMS_TO_TICKS(10));
    }
}

int main(void)
{
    static StackType_t taker_stack[128], starter_stack[128];
    static StaticTask_t taker, starter;

    token = xSemaphoreCreateBinaryStatic(&token_memory);
    timer = xTimerCreateStatic("", pdMS_TO_TICKS(10), pdTRUE, NULL, expired, &timer_memory);
    (void)xTaskCreateStatic(take, "", sizeof taker_stack, NULL, 2, taker_stack, &taker);
    (void)xTaskCreateStatic(start, "", sizeof starter_stack, NULL, 1, starter_stack, &starter);
    vTaskStartScheduler();
    return 1;
}
