/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "context.h"
#include "descriptors.h"
#include "hrlp_cpu.h"
#include "hrlp_line.h"
#include "own_core.h"
#include "resource_check.h"
#include <hrl/basic.h>

/* Whether the caller is above the ceiling of `resource`; a thread is below all basic tasks. */
static bool is_above(const struct hrl_resource *resource)
{
    const struct hrl_basic *self = hrl_basic_current();

    return self != NULL && hrli_line_of(self)->priority > resource->ceiling;
}

/* A system without threads does not link it. */
#pragma weak hrli_is_thread

/* Whether a basic task or a thread calls. */
static bool may_share(void)
{
    if (hrl_basic_current() != NULL) {
        return true;
    }
    return hrli_is_thread != NULL ? hrli_is_thread() : !hrlp_cpu_in_interrupt();
}

static bool is_held(const struct hrl_resource *resource)
{
    const struct hrl_resource *held = hrli_resource_held;

    while (held != NULL && held != resource) {
        held = held->below;
    }
    return held != NULL;
}

/*
 * A task that comes between the two steps gives back what it takes before it ends, so that their
 * order needs no lock.
 */
void hrl_resource_take(struct hrl_resource *resource)
{
    uint32_t before;

    HRLI_CHECK(may_share(), "hrl_resource_take: for basic tasks and threads");
    HRLI_CHECK_OWN_CORE(resource, "hrl_resource_take: a resource of another core");
    HRLI_CHECK(resource->ceiling >= 1u && resource->ceiling <= HRLP_LINE_LEVELS,
               "a resource's ceiling is a priority of basic tasks");
    HRLI_CHECK(!is_held(resource), "hrl_resource_take: the resource is taken already");
    HRLI_CHECK(!is_above(resource),
               "hrl_resource_take: the caller's priority is above the resource's ceiling");
    before = hrlp_line_raise_ceiling(resource->ceiling);
    resource->before = before;
    if (HRL_CHECKS) {
        resource->below = hrli_resource_held;
        hrli_resource_held = resource;
    }
}

void hrl_resource_give(struct hrl_resource *resource)
{
    HRLI_CHECK(may_share(), "hrl_resource_give: for basic tasks and threads");
    HRLI_CHECK_OWN_CORE(resource, "hrl_resource_give: a resource of another core");
    HRLI_CHECK(hrli_resource_held == resource, "resources must be given back in reverse order");
    if (HRL_CHECKS) {
        hrli_resource_held = resource->below;
    }
    hrlp_line_restore_ceiling(resource->before);
}
