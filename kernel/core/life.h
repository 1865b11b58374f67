/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LIFE_H
#define HRLI_LIFE_H

/* What a thread is and does, for the checks of context: hrl_thread.life. */
enum hrli_life {
    HRLI_DORMANT,
    HRLI_STARTED,
    HRLI_ENDED,
    HRLI_PERIODIC, /* it runs a body once a release, and does not end */
    HRLI_SERVES,   /* it runs basic tasks (server.h), which are no code of its own */
    HRLI_STARTING  /* it is being started, and its stack painted; with checks only */
};

#endif
