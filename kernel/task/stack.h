/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_STACK_H
#define HRLI_STACK_H

#include <hrl/thread.h>

/*
 * Stacks are painted before their thread begins, so that it can be seen later how far it came.
 */
#define HRLI_STACK_PAINT 0x5AC3A53Cu /* no address, no small number, no text */

/* Fills the stack of `thread`, which does not use it. Context: a thread, start-up. */
void hrli_stack_paint(struct hrl_thread *thread);

#endif
