/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_OVERRUN_H
#define HRLI_OVERRUN_H

#include <hrl/basic.h>

/* Counts an overrun of `task` and calls the hook. Context: any, interrupts as they are. */
void hrli_basic_overrun(const struct hrl_basic *task);

#endif
