/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

/* Out of line, as every checked call asks. */
bool hrli_check_is_below(void)
{
    return !hrlp_irq_is_above();
}
