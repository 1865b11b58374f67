/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LIFECYCLE_H
#define HRLI_LIFECYCLE_H

#include <hrl/thread.h>

/*
 * Takes `thread` out of the ready queue if it is suspended, and puts it in if it is not and has nothing to wait
 * for. For threads that another core has suspended or resumed. Context: the dispatch, on the core of `thread`.
 */
void hrli_suspension_apply(struct hrl_thread *thread);

#endif
