/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_OWN_CORE_H
#define HRLI_OWN_CORE_H

#include "check.h"
#include "hrlp_cores.h"
#include "hrlp_per_core.h"
#include <stdbool.h>

/*
 * Objects of one core: the core that uses an object first owns it, and calls for it on another core stop in the
 * assert hook. With checks only, and where there are several cores: such an object then has a field `home`.
 */

#if HRL_CORES > 1 /* as objects have no such field on one core */
/*
 * Whether the object with this home belongs to this core; from its first use on it does. If two cores use it first
 * at once, at least one of them is told no: by this call, or by its next one for the object. Context: any.
 */
static inline bool hrli_home_is_here(struct hrli_home *home)
{
    hrli_number here = (hrli_number)(hrlp_core_number() + 1u);

    if (HRLP_SEE(home->owner) == 0) {
        HRLP_SHOW(home->owner, here);
    }
    return HRLP_SEE(home->owner) == here;
}

/* At the head of a call for `object`, which is of one core. */
#define HRLI_CHECK_OWN_CORE(object, reason) HRLI_CHECK(hrli_home_is_here(&(object)->home), reason)
#else
#define HRLI_CHECK_OWN_CORE(object, reason) ((void)0)
#endif

#endif
