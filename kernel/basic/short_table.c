/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "short_table.h"

#if HRL_BASIC_TASKS && HRLP_CPU_IS_NARROW /* as in the header */

void hrli_short_parts_release(HRLP_CONST struct hrli_line_part *head)
{
    hrli_line_parts_release(head, false);
}

#endif
