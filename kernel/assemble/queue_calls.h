/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_QUEUE_CALLS_H
#define HRLI_QUEUE_CALLS_H

#include "queue_node.h"
#include <stdbool.h>

/*
 * A delay queue of kernel/queue/ becomes code: its memory, and functions that begin with its name. The macros
 * are used at file scope, without a semicolon. A file uses some of the functions; the compiler removes the
 * others.
 */
#define HRLI_ASSEMBLED static inline __attribute__((unused))
#define HRLI_ASSEMBLED_INLINE static inline __attribute__((always_inline, unused))

/*
 * Shortcuts. A queue may have a call of its own where the default is a call or two of the contract
 * (kernel/queue/README.md). Its header names such a call by a macro:
 *
 *     #define HRLI_SHORT_PUT_<queue> HRLI_SHORT_IS(function)        else: its insert
 *     #define HRLI_SHORT_PUT_OFF_<queue> HRLI_SHORT_IS(function)    else: its pop and its insert
 *     #define HRLI_SHORT_STAY_<queue> HRLI_SHORT_IS(function)       else: false
 */
#define HRLI_SHORT_IS(call) ~, call
#define HRLI_SHORT_PUT(queue) HRLI_SHORT_OR(HRLI_SHORT_PUT_##queue, queue##_put_by_call, ~)
#define HRLI_SHORT_PUT_OFF(queue)                                                                  \
    HRLI_SHORT_OR(HRLI_SHORT_PUT_OFF_##queue, queue##_put_off_by_calls, ~)
#define HRLI_SHORT_STAY(queue) HRLI_SHORT_OR(HRLI_SHORT_STAY_##queue, queue##_stays_never, ~)
#define HRLI_SHORT_OR(...) HRLI_SHORT_SECOND(__VA_ARGS__)
#define HRLI_SHORT_SECOND(first, second, ...) second

/* The calls of a delay queue, as struct hrli_store takes them: <queue>_insert and so on, <queue>_put_off, <queue>_stay. */
#define HRLI_QUEUE_CALLS(queue)                                                                    \
    HRLI_ASSEMBLED bool queue##_insert(void *kept, struct hrli_queue_node *node)                   \
    {                                                                                              \
        return hrli_##queue##_insert(kept, node);                                                  \
    }                                                                                              \
    HRLI_ASSEMBLED_INLINE bool queue##_put_by_call(void *kept, struct hrli_queue_node *node,       \
                                                   hrl_stamp key)                                  \
    {                                                                                              \
        (void)key;                                                                                 \
        return hrli_##queue##_insert(kept, node);                                                  \
    }                                                                                              \
    HRLI_ASSEMBLED_INLINE bool queue##_put(void *kept, struct hrli_queue_node *node,               \
                                           hrl_stamp key)                                          \
    {                                                                                              \
        return HRLI_SHORT_PUT(queue)(kept, node, key);                                             \
    }                                                                                              \
    HRLI_ASSEMBLED struct hrli_queue_node *queue##_first(void *kept)                               \
    {                                                                                              \
        return hrli_##queue##_first(kept);                                                         \
    }                                                                                              \
    HRLI_ASSEMBLED void queue##_pop(void *kept, struct hrli_queue_node *first)                     \
    {                                                                                              \
        hrli_##queue##_pop(kept, first);                                                           \
    }                                                                                              \
    HRLI_ASSEMBLED void queue##_remove(void *kept, struct hrli_queue_node *node)                   \
    {                                                                                              \
        hrli_##queue##_remove(kept, node);                                                         \
    }                                                                                              \
    HRLI_ASSEMBLED void queue##_put_off_by_calls(void *kept, struct hrli_queue_node *first,        \
                                                 hrl_stamp key)                                    \
    {                                                                                              \
        hrli_##queue##_pop(kept, first);                                                           \
        first->key = key;                                                                          \
        (void)hrli_##queue##_insert(kept, first);                                                  \
    }                                                                                              \
    HRLI_ASSEMBLED_INLINE void queue##_put_off(void *kept, struct hrli_queue_node *first,          \
                                               hrl_stamp key)                                      \
    {                                                                                              \
        HRLI_SHORT_PUT_OFF(queue)(kept, first, key);                                               \
    }                                                                                              \
    HRLI_ASSEMBLED_INLINE bool queue##_stays_never(void *kept, struct hrli_queue_node *first,      \
                                                   uint32_t counts)                                \
    {                                                                                              \
        (void)kept;                                                                                \
        (void)first;                                                                               \
        (void)counts;                                                                              \
        return false;                                                                              \
    }                                                                                              \
    HRLI_ASSEMBLED_INLINE bool queue##_stay(void *kept, struct hrli_queue_node *first,             \
                                            uint32_t counts)                                       \
    {                                                                                              \
        return HRLI_SHORT_STAY(queue)(kept, first, counts);                                        \
    }

/*
 * The delay queue `name` for `nodes` nodes, made empty by <name>_init. A wheel has `slots` slots of
 * 2^`bits` counts. The queue's header says what that comes to: HRLI_ARRAYS_<queue>,
 * HRLI_INIT_<queue>.
 */
#define HRLI_QUEUE(name, queue, nodes, slots, bits)                                                \
    static struct hrli_##queue name;                                                               \
    HRLI_ARRAYS_##queue(name, nodes, slots, bits) HRLI_ASSEMBLED_INLINE void name##_init(void)     \
    {                                                                                              \
        HRLI_INIT_##queue(name, nodes, slots, bits);                                               \
    }

#endif
