/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_PLAY_CHECK_H
#define MODEL_PLAY_CHECK_H

#include <stdbool.h>

/*
 * Whether the kernel's structures are whole: the ready queue, the wait queues of all objects of the script, the
 * store of time-outs; and what follows from the headers whatever happened before, such as that no thread
 * waits for a semaphore that has a token. Ends the process with a message if not.
 *
 * `between_calls`: no thread is in a call that holds dispatch off, so that everything must fit together.
 * Without it, for interrupts, what a thread may be in the middle of changing is left out.
 */
void play_check(bool between_calls);

#endif
