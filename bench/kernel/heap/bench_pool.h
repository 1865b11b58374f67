/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include "FreeRTOS.h"

/*
 * Blocks from FreeRTOS' heap_4: of any size; no task can wait for one, and no interrupt can take
 * one.
 */
#define BENCH_POOL_DEFINE(name, bytes, blocks) enum { name##_bytes = (bytes) };
#define BENCH_POOL_PREPARE(name) vPortFree(pvPortMalloc(name##_bytes)) /* makes the heap */
#define BENCH_POOL_TAKE(name, block) ((block) = pvPortMalloc(name##_bytes))
#define BENCH_POOL_GIVE(name, block) vPortFree(block)

#endif
