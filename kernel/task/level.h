/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LEVEL_H
#define HRLI_LEVEL_H

#include "wait.h"

/*
 * Gives `thread` another level, wherever it stands: in the ready set and in an object's wait queue it goes
 * to the end of its new level, but the running thread to the front. The caller allows dispatch afterwards.
 * Context: a thread, dispatch held off. Interrupts are off for twice the levels of a wait queue.
 */
void hrli_level_apply(struct hrl_thread *thread, uint32_t level);

#endif
