/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

/* Where a test may look; zero-initialised, as application data. */
volatile uint32_t blinks;

void hrl_gen_body_0(void);
void hrl_gen_body_0(void)
{
    blinks++;
}
