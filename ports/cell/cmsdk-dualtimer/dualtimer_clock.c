/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cmsdk_dualtimer.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"

void hrlp_clock_start(void)
{
    struct hrlp_cmsdk_dualtimer_channel *timer = HRLP_CMSDK_DUALTIMER(1);

    timer->control = 0;
    timer->clear = 1;
    timer->load = 0xFFFFFFFFu;
    hrlp_irq_enable_at(HRLP_CMSDK_DUALTIMER_LINE(1), HRLP_IRQ_OF_CELLS);
    timer->control =
        HRLP_CMSDK_DUALTIMER_32_BITS | HRLP_CMSDK_DUALTIMER_INTERRUPT | HRLP_CMSDK_DUALTIMER_ENABLE;
}
