/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "resource_check.h"

/* Apart from resource.c, as whoever checks needs it, whether or not there is any resource. */
struct hrl_resource *hrli_resource_held;
