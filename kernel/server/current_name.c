/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "basic_name.h"
#include "core.h"
#include "hrlp_upcalls.h"

/* In this room, as it knows threads and basic tasks; systems without threads have their own (basic_start.h). */
HRLP_CONST char *hrli_cpu_current_name(void)
{
    HRLP_CONST char *name =
        hrli_core.running == NULL ? HRLP_TEXT("start-up") : hrli_core.running->name;

    return HRL_BASIC_TASKS ? hrli_basic_current_name(name) : name;
}
