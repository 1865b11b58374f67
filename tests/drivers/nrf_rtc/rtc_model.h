/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RTC_MODEL_H
#define RTC_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A model of Nordic's RTC, by the text of the nRF52840 Product Specification ("RTC", "Compare feature"), for tests of its
 * driver. It is our reading of that text; no chip was asked.
 *
 * Time goes on by a part of a count with each access to a register, and by rtc_pass. Where the specification says that a
 * comparison "may" or "may not" fire, chance decides: a number that was written less than 2 counts ago fires or not, and
 * one that was overwritten less than 3 counts ago fires or not. An event is raised only while EVTEN and INTEN let it
 * through.
 */
enum { RTC_PARTS = 64 }; /* of a count */

/* Stopped at `counter`, all else as after reset; chance begins at `seed`, which is not 0. */
void rtc_reset(uint32_t counter, uint64_t seed);

/* An access takes less than `most` parts of a count, by chance; one in eight less than `jump`, as if interrupted. */
void rtc_set_pace(unsigned most, unsigned jump);

uint32_t rtc_load(uint32_t address);
void rtc_store(uint32_t address, uint32_t value);

/* Time goes on by so many parts of a count; not beyond the part at which the line comes up, if `until_up`. */
void rtc_pass(uint64_t parts, bool until_up);

/* Whether the interrupt line is up. */
bool rtc_is_up(void);

/* How many counts there were since the start. */
uint64_t rtc_counts(void);

/* A number below `below`, by chance. */
uint32_t rtc_chance(uint32_t below);

#endif
