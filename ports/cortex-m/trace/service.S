/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* For the calibration: what a service takes that returns at once. */
#include "service.inc"

    .syntax unified
    .thumb
    service hrlp_ring_service, hrlp_ring_returns
