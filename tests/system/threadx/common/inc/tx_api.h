/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stand-in for ThreadX, for test_bench_kernel.py: as much of its interface as bench/kernel/threadx needs to run
 * one thread that takes and gives a semaphore. It has no scheduler.
 */
#ifndef TX_API_H
#define TX_API_H

#include "tx_port.h"

#define THREADX_MAJOR_VERSION 6
#define THREADX_MINOR_VERSION 0
#define THREADX_PATCH_VERSION 99

#define TX_NULL ((void *)0)
#define TX_SUCCESS 0u
#define TX_NO_TIME_SLICE 0u
#define TX_AUTO_START 1u
#define TX_WAIT_FOREVER 0xFFFFFFFFul
#define TX_TIMER_TICKS_PER_SECOND 100

#define VOID void
typedef unsigned int UINT;
typedef unsigned long ULONG;

typedef struct {
    char *tx_thread_name;
} TX_THREAD;

typedef struct {
    ULONG count;
} TX_SEMAPHORE;

VOID tx_kernel_enter(VOID);
VOID tx_application_define(VOID *first_unused_memory);

UINT tx_thread_create(TX_THREAD *thread, char *name, VOID (*entry)(ULONG), ULONG input, VOID *stack,
                      ULONG bytes, UINT priority, UINT threshold, ULONG slice, UINT start);
TX_THREAD *tx_thread_identify(VOID);
VOID tx_thread_relinquish(VOID);
UINT tx_thread_resume(TX_THREAD *thread);
UINT tx_thread_suspend(TX_THREAD *thread);

UINT tx_semaphore_create(TX_SEMAPHORE *semaphore, char *name, ULONG count);
UINT tx_semaphore_get(TX_SEMAPHORE *semaphore, ULONG wait);
UINT tx_semaphore_put(TX_SEMAPHORE *semaphore);

#endif
