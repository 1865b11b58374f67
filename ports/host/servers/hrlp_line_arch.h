/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host_machine.h"
#include "hrlp_no_line.h"

static inline bool hrlp_line_interrupted(unsigned level, unsigned by)
{
    (void)level;
    (void)by;
    return !hrlp_host_is_switching();
}
