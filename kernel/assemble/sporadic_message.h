/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SPORADIC_MESSAGE_H
#define HRLI_SPORADIC_MESSAGE_H

#include "sporadic_thread.h"
#include <hrl/message_queue.h>

/*
 * A sporadic task that messages activate: a thread that runs hrl_gen_body_<number> once for each message of
 * `bytes` that is sent to messages_<name>, with the message in the array message_<name>. `most` wait behind
 * the one that it has received. HRLI_START_SPORADIC(number) lets it wait. At file scope, without a semicolon,
 * behind HRLI_STACK(number, ...).
 */
#define HRLI_SPORADIC_MESSAGE(number, name, level, bytes, most)                                    \
    HRL_MESSAGE_QUEUE_DEFINE(messages_##name, bytes, most);                                        \
    uint32_t message_##name[(bytes) / 4u];                                                         \
    HRLI_ACTIVATED_THREAD(                                                                         \
        number, name, level,                                                                       \
        (void)hrl_message_receive(&messages_##name, message_##name, HRL_FOREVER))

#endif
