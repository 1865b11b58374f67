/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "portable.h"
#include <hrl/message_queue.h>
#include <stddef.h>

_Static_assert(sizeof(struct hrl_message_queue) <= sizeof(((struct hrl_portable_queue *)0)->state),
               "the state of a portable queue is too small");

static inline struct hrl_message_queue *own(struct hrl_portable_queue *queue)
{
    return (struct hrl_message_queue *)(void *)queue->state;
}

void hrl_portable_queue_make(struct hrl_portable_queue *queue)
{
    uint32_t words = queue->bytes / sizeof(hrli_message_word);

    *own(queue) = (struct hrl_message_queue){.quick = HRLI_MESSAGE_QUICK(words, queue->most),
                                             .capacity = queue->most,
                                             .words = words,
                                             .oldest = queue->slots,
                                             .next = queue->slots,
                                             .slots = queue->slots,
                                             .end = queue->slots + (size_t)words * queue->most};
}

bool hrl_portable_queue_send(struct hrl_portable_queue *queue, const void *message,
                             struct hrl_portable_span span)
{
    return hrl_message_send(own(queue), message, hrli_portable_until(span)) == HRL_OK;
}

bool hrl_portable_queue_receive(struct hrl_portable_queue *queue, void *message,
                                struct hrl_portable_span span)
{
    return hrl_message_receive(own(queue), message, hrli_portable_until(span)) == HRL_OK;
}
