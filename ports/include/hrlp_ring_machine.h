/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RING_MACHINE_H
#define HRLP_RING_MACHINE_H

/*
 * Porting contract: what kernel/trace asks of a port with firmware that can measure itself, in
 * hrlp_ring_controller.h.
 *
 * hrlp_ring_lock masks all interrupts, those above the kernel's lock, too, and hrlp_ring_unlock takes what it returned.
 * hrlp_ring_start_stamps lets the counter run that hrlp_ring_stamp reads, which wraps from 2^32 - 1 to 0.
 *
 * For the calibration: hrlp_ring_call(n) enters and leaves, by a call, what is recorded of an interrupt, with a handler
 * that returns at once (n is 0) or ends by itself (1); HRLP_RING_JOB is what a job's stub does beside the job, without
 * the call of it; hrlp_ring_returns is a function that does nothing, and hrlp_ring_service what
 * is recorded of a service, with that function in its place.
 */
#include "hrlp_ring_controller.h"

#endif
