/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_TABLE_ACTION_H
#define HRL_TABLE_ACTION_H

#include <hrl/event.h>
#include <hrl/schedule_table.h>
#include <hrl/semaphore.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * More that a point of a schedule table does (hrl/schedule_table.h): elements of its array of actions. Gives
 * a semaphore, as that of a sporadic thread; sets flags of an event.
 */
#define HRL_TABLE_GIVE(semaphore)                                                                  \
    {                                                                                              \
        hrli_table_give, semaphore, 0, false                                                       \
    }
#define HRL_TABLE_SET(event, flags)                                                                \
    {                                                                                              \
        hrli_table_set, event, flags, true                                                         \
    }

/* The kernel's; in the application's object, so that a table links only the services that it uses. */
static inline void hrli_table_give(const void *semaphore, uint32_t unused)
{
    (void)unused;
    (void)hrl_semaphore_give((struct hrl_semaphore *)(uintptr_t)semaphore);
}

static inline void hrli_table_set(const void *event, uint32_t flags)
{
    hrl_event_set((struct hrl_event *)(uintptr_t)event, flags);
}

#ifdef __cplusplus
}
#endif

#endif
