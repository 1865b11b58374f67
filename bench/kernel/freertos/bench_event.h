/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_EVENT_H
#define BENCH_EVENT_H

#include "FreeRTOS.h"
/* needs the above */
#include "event_groups.h"

/* Waits for any of `flags`, which are cleared on exit. */
#define BENCH_EVENT_DEFINE(name) static StaticEventGroup_t name
#define BENCH_EVENT_PREPARE(name) ((void)xEventGroupCreateStatic(&(name)))
#define BENCH_EVENT_WAIT(name, flags)                                                              \
    ((void)xEventGroupWaitBits((EventGroupHandle_t) & (name), flags, pdTRUE, pdFALSE,              \
                               portMAX_DELAY))
#define BENCH_EVENT_SET(name, flags)                                                               \
    ((void)xEventGroupSetBits((EventGroupHandle_t) & (name), flags))

#endif
