/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SPORADIC_BASIC_H
#define HRLI_SPORADIC_BASIC_H

#include <hrl/basic.h>

/*
 * A sporadic basic task: time does not release it; hrl_basic_activate(&basic_<name>) raises its line. Takes
 * what struct hrl_basic says, in its order. At file scope, without a semicolon.
 */
#define HRLI_SPORADIC_BASIC(name, body, ...)                                                       \
    void body(void);                                                                               \
    extern const struct hrl_basic basic_##name;                                                    \
    const struct hrl_basic basic_##name HRLI_CONSTANT = {body, __VA_ARGS__};

/* In the handler that activates it. */
#define HRLI_ACTIVATE_BASIC(name) (void)hrl_basic_activate(&basic_##name);

#endif
