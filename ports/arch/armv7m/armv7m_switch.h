/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_ARMV7M_SWITCH_H
#define HRLP_ARMV7M_SWITCH_H

#include <stdint.h>

/*
 * The two forms of the switch, of which the build takes one: switch.c for processors without a
 * floating-point unit, switch_fpu.c for those with one. Each defines PendSV_Handler, the
 * lowest-priority exception: it runs when all handlers are done and all releases are in; and
 * SVC_Handler, of the same priority, by which a thread yields.
 */

/* Puts below a new thread's hardware frame what PendSV_Handler will load from there. */
uint32_t *hrlp_armv7m_push_saved(uint32_t *frame);

#endif
