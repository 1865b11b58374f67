/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/resource.h>

/* A body that does not give back what it takes. */
extern struct hrl_resource bus;
void keeps(void);

void keeps(void)
{
    hrl_resource_take(&bus);
}
