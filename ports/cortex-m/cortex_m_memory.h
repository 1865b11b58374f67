/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CORTEX_M_MEMORY_H
#define HRLP_CORTEX_M_MEMORY_H

#include "hrlp_start_controller.h"
#include <stdint.h>

#ifndef HRLP_CORTEX_M_KEEPS_LOOP
#define HRLP_CORTEX_M_KEEPS_LOOP
#endif

extern uint32_t hrl_link_data_load[], hrl_link_data_start[], hrl_link_data_end[];
extern uint32_t hrl_link_bss_start[], hrl_link_bss_end[];

/* Gives variables their first values, and zeros the others. Context: after reset, before anything uses them. */
static inline void hrlp_cortex_m_prepare_memory(void)
{
    uint32_t *from = hrl_link_data_load;

    for (uint32_t *to = hrl_link_data_start; to < hrl_link_data_end;) {
        *to++ = *from++;
        HRLP_CORTEX_M_KEEPS_LOOP;
    }
    for (uint32_t *to = hrl_link_bss_start; to < hrl_link_bss_end;) {
        *to++ = 0;
        HRLP_CORTEX_M_KEEPS_LOOP;
    }
}

#endif
