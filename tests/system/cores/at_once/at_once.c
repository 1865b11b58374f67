/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host_machine.h"

/* The program that this is linked to runs with all cores at once. */
static __attribute__((constructor)) void say_at_once(void)
{
    hrlp_host_setup.at_once = true;
}
