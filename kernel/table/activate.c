/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/schedule_table.h>

void hrli_table_activate(const void *task, uint32_t unused)
{
    (void)unused;
    (void)hrl_basic_activate((const struct hrl_basic *)task);
}
