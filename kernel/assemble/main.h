/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_MAIN_H
#define HRLI_MAIN_H

#include <hrl/kernel.h>

/*
 * The program: starts the kernel. At file scope, without a semicolon; the line may hold what comes before
 * that, HRLI_CALL(function).
 */
#define HRLI_MAIN(...)                                                                             \
    int main(void)                                                                                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
        hrl_start();                                                                               \
        return 0;                                                                                  \
    }

/* A function of the application that takes nothing. */
#define HRLI_CALL(function)                                                                        \
    {                                                                                              \
        void function(void);                                                                       \
        function();                                                                                \
    }

#endif
