/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_RESOURCE_H
#define HRL_RESOURCE_H

#include <hrl/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Resources: what basic tasks share, with each other and with threads.
 *
 * Immediate priority ceiling: a task or thread that takes a resource has its ceiling, the priority of
 * the most urgent task that takes it, until it gives it back. So no task ever waits for a resource,
 * a task is blocked at most once, before it begins, and there is no deadlock. The task or thread
 * that took resources gives them back in the reverse order, before its job or the thread ends;
 * while it holds one, it calls nothing that waits or gives way, and does not change its priority.
 * Anything else stops in hrl_assert_hook.
 *
 * With several cores a resource is of one core, that which takes it first: a ceiling holds off tasks of that core only.
 * On another core both calls stop in hrl_assert_hook, with checks. What several cores share has a spinlock
 * (hrl/spinlock.h), or a mutex of threads (hrl/mutex.h).
 *
 *     HRL_RESOURCE_DEFINE(buffer, 5);
 *     hrl_resource_take(&buffer); ... hrl_resource_give(&buffer);
 *
 * Source: Sha, Rajkumar and Lehoczky, Priority Inheritance Protocols, as OSEK/VDX has it.
 */
struct hrl_resource {
    uint32_t ceiling;           /* a priority of basic tasks, from 1 */
    uint32_t before;            /* the port's ceiling before it was taken */
    struct hrl_resource *below; /* the one that was taken before it; with checks only */
#if HRL_CORES > 1               /* as there is another core only then */
    struct hrli_home home;      /* with checks only */
#endif
};

/* Defines a resource; the most urgent task that takes it has priority `priority`. At file scope. */
#define HRL_RESOURCE_DEFINE(name, priority)                                                        \
    struct hrl_resource name = {priority, 0, 0 HRLI_HOME_FIELD};                                   \
    HRLI_STATIC_ASSERT((priority) >= 1, "the ceiling of a resource is a priority of basic tasks")

/* The initialiser of one, for arrays. */
#define HRL_RESOURCE_INIT(priority)                                                                \
    {                                                                                              \
        (priority) + HRLI_REQUIRE((priority) >= 1), 0, 0 HRLI_HOME_FIELD                           \
    }

/*
 * Raises the caller to the ceiling. The caller must not hold it already, nor be above the ceiling.
 * Context: a basic task, a thread. Cost: some instructions.
 */
void hrl_resource_take(struct hrl_resource *resource);

/*
 * Puts the caller back to the priority it had before; tasks that became ready above that priority run
 * before this returns. Context: as hrl_resource_take.
 */
void hrl_resource_give(struct hrl_resource *resource);

#ifdef __cplusplus
}
#endif

#endif
