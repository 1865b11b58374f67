/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cortex_m_line.h"

/*
 * In the place of startup.c, where an application has a vector table and a Reset_Handler of its own (`vectors = "own"`
 * in system.toml). Called by main, before all else: what that Reset_Handler does not know. Context: start-up.
 */
void hrlp_own_vectors_begin(void);

void hrlp_own_vectors_begin(void)
{
    hrlp_cortex_m_prepare();
}
