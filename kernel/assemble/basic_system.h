/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_BASIC_SYSTEM_H
#define HRLI_BASIC_SYSTEM_H

#include "basic_start.h"
#include "line_handler.h"

/*
 * The start-up of a system of basic tasks only. At file scope, without a semicolon; the lines list
 * what is done before the clock starts, and after it (line_handler.h).
 */
#define HRLI_BASIC_PREPARE(...)                                                                    \
    static void prepare(void)                                                                      \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define HRLI_BASIC_START(...)                                                                      \
    static void start(void){__VA_ARGS__} HRLI_BASIC_START_DEFINE(prepare, start)

#endif
