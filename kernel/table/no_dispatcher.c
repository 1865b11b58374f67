/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatcher.h"

/* Linked where an application calls a dispatcher and the system has none. */
struct hrli_dispatcher hrl_gen_dispatcher;
