/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_BASIC_NAME_H
#define HRLI_BASIC_NAME_H

#include "hrlp_cpu.h"
#include <hrl/basic.h>
#include <stddef.h>

/*
 * For hrli_cpu_current_name in systems with basic tasks: the name of the one that runs, or
 * `otherwise`.
 */
static inline HRLP_CONST char *hrli_basic_current_name(HRLP_CONST char *otherwise)
{
    const struct hrl_basic *task = hrl_basic_current();

    return task == NULL ? otherwise : HRLP_CONST_AT(task)->name;
}

#endif
