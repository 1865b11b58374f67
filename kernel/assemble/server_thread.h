/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SERVER_THREAD_H
#define HRLI_SERVER_THREAD_H

#include "server.h"
#include "thread_system.h"

/*
 * server_<at>, the thread of level `at` that runs basic tasks (server.h), with its stack. At file
 * scope, without a semicolon.
 */
#define HRLI_SERVER(at, bytes)                                                                     \
    static uint64_t server_stack_##at[HRLI_STACK_WORDS(bytes)] HRLI_STACKS;                        \
    static struct hrl_thread server_##at = {.name = HRLI_TEXT("server " #at),                      \
                                            .stack = server_stack_##at,                            \
                                            .stack_bytes = sizeof server_stack_##at,               \
                                            .entry = hrli_server_run,                              \
                                            .ready.base_priority = (at)HRLI_ON_ITS_CORE};

/* In start-up code. */
#define HRLI_PREPARE_SERVER(level) hrl_thread_start(&server_##level);

#endif
