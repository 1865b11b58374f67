/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "resource_check.h"

/* Not in resource.c, as all checks need it, whether or not there are resources. */
HRLP_PER_CORE struct hrl_resource *hrli_resource_held;
