/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_DISPATCHER_H
#define HRL_DISPATCHER_H

#include <hrl/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The dispatcher of time-triggered tables (docs/guide/dispatcher-tables.md), where the application has a say: it
 * changes the mode, starts and stops, or gives a global time. A description has one table a mode; mode_<name>
 * is that of the mode `name`:
 *
 *     extern const struct hrl_dispatcher_mode mode_landing;
 *
 *     hrl_dispatcher_set_mode(&mode_landing);
 *
 * A change of mode, and a stop, are done at the end of the round that runs. The terms are those of OSEKtime;
 * conformance is not claimed.
 *
 * Context of all calls: any but above the kernel, when the kernel has started. Interrupts are masked for a
 * constant time.
 */
struct hrl_dispatcher_mode;

enum hrl_dispatcher_state {
    HRL_DISPATCHER_STOPPED,
    HRL_DISPATCHER_WAITING, /* for the instant at which its first round begins */
    HRL_DISPATCHER_RUNNING,
    HRL_DISPATCHER_RUNNING_AND_SYNCHRONOUS
};

/*
 * The table of `mode` follows at the end of the round that runs; if no round has begun, it is the first one. An
 * earlier wish that has not been done is forgotten. HRL_OK; HRL_ID if the system has no such table.
 */
enum hrl_status hrl_dispatcher_set_mode(const struct hrl_dispatcher_mode *mode);

/* The mode of the round that runs, or of the first one to come. NULL: the system has no modes. Context: any. */
const struct hrl_dispatcher_mode *hrl_dispatcher_mode(void);

/* The name given in the description, or "none" for NULL; a constant string, on AVR in flash. Context: any. */
const HRLI_FLASH char *hrl_dispatcher_mode_name(const struct hrl_dispatcher_mode *mode);

/*
 * The first round begins `offset` counts from now. HRL_OK; HRL_STATE if it is not stopped; HRL_VALUE if
 * `offset` is 0 or above 2^30; HRL_ID as above, and if the clock is the global time (strategy = "implicit").
 */
enum hrl_status hrl_dispatcher_start_relative(hrl_counts offset);

/*
 * The first round begins when hrl_now() is `begin`. HRL_OK; HRL_STATE if it is not stopped; HRL_VALUE if
 * that has passed, or is more than 2^30 counts ahead; HRL_ID as above.
 */
enum hrl_status hrl_dispatcher_start_absolute(hrl_counts begin);

/*
 * Stops at the end of the round that runs; at once if no round has begun. HRL_OK; HRL_NOT_RUNNING if it is
 * stopped; HRL_ID as above.
 */
enum hrl_status hrl_dispatcher_stop(void);

enum hrl_dispatcher_state hrl_dispatcher_state(void);

/*
 * The global time: the position in the round, from 0 to the round less 1 count, at which the table ought to be
 * now. What the round is ahead or behind is corrected behind the last deadline of rounds, within the limits that
 * the description gives: a table that is ahead is delayed, one that is behind is advanced. HRL_OK; HRL_ID if
 * the description has no such global time, or an implicit one; HRL_STATE if no round runs; HRL_VALUE if `position`
 * is not below the round.
 */
enum hrl_status hrl_dispatcher_synchronise(uint32_t position);

/* The global time is lost: no more corrections. HRL_OK; HRL_ID and HRL_STATE as for the global time. */
enum hrl_status hrl_dispatcher_set_asynchronous(void);

#ifdef __cplusplus
}
#endif

#endif
