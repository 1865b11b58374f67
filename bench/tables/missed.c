/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/basic.h>

/* A system in which deadlines are missed goes on; the kernel counts them. */
void hrl_basic_deadline_hook(const struct hrl_basic *task)
{
    (void)task;
}
