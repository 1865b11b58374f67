/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_RESOURCE_CHECK_H
#define HRLI_RESOURCE_CHECK_H

#include "check.h"
#include "hrlp_per_core.h"
#include <hrl/resource.h>
#include <stddef.h>

/*
 * The resources that are held, the last one first: a task or thread that takes one gives it back,
 * or ends, before the one that it interrupted goes on, and no thread that holds one is switched
 * from. With checks only.
 */
extern HRLP_PER_CORE struct hrl_resource *hrli_resource_held;

/* The end of a job that began while `before` was held. Context: its line. */
static inline void hrli_resource_check_end(const struct hrl_resource *before)
{
    HRLI_CHECK(hrli_resource_held == before, "the end of a basic task that holds a resource");
    HRLI_CHECK(!hrlp_irq_is_masked(), "the end of a basic task with interrupts masked");
    (void)before; /* in a build without checks */
}

/* Runs `body` with that check around it, which costs nothing without checks. */
static inline __attribute__((always_inline)) void hrli_resource_checked(void (*body)(void))
{
    const struct hrl_resource *before = HRL_CHECKS ? hrli_resource_held : NULL;

    body();
    hrli_resource_check_end(before);
}

#endif
