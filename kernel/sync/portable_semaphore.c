/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "portable.h"
#include <hrl/semaphore.h>

_Static_assert(sizeof(struct hrl_semaphore) <= sizeof(((struct hrl_portable_semaphore *)0)->state),
               "the state of a portable semaphore is too small");

static inline struct hrl_semaphore *own(struct hrl_portable_semaphore *semaphore)
{
    return (struct hrl_semaphore *)(void *)semaphore->state;
}

void hrl_portable_semaphore_make(struct hrl_portable_semaphore *semaphore)
{
    *own(semaphore) = (struct hrl_semaphore){.count = (hrli_number)semaphore->initial,
                                             .limit = (hrli_number)semaphore->most};
}

bool hrl_portable_semaphore_take(struct hrl_portable_semaphore *semaphore,
                                 struct hrl_portable_span span)
{
    return hrl_semaphore_take(own(semaphore), hrli_portable_until(span)) == HRL_OK;
}

bool hrl_portable_semaphore_give(struct hrl_portable_semaphore *semaphore)
{
    return hrl_semaphore_give(own(semaphore)) == HRL_OK;
}
