/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "deadline.h"
#include <stddef.h>

/* Linked where an application asks for misses and no deadline is monitored. */
const struct hrli_deadlines hrl_gen_deadlines = {NULL, NULL, 0, NULL, NULL};
