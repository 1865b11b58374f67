/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "hrlp_line.h"
#include "resource_check.h"

void hrl_resource_take(struct hrl_resource *resource)
{
    HRLI_CHECK(resource->ceiling >= hrlp_line_level(), "a resource whose ceiling is too low");
    HRLI_CHECK(resource->ceiling >= 1u && resource->ceiling <= HRLP_LINE_LEVELS,
               "a resource's ceiling is a level of basic tasks");
    resource->before = hrlp_line_raise_ceiling(resource->ceiling);
    if (HRL_CHECKS) {
        resource->below = hrli_resource_held;
        hrli_resource_held = resource;
    }
}

void hrl_resource_give(struct hrl_resource *resource)
{
    HRLI_CHECK(hrli_resource_held == resource, "a resource that was not taken last");
    if (HRL_CHECKS) {
        hrli_resource_held = resource->below;
    }
    hrlp_line_restore_ceiling(resource->before);
}
