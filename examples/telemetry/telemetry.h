/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: 0BSD */
#ifndef TELEMETRY_H
#define TELEMETRY_H

#include <stdint.h>

/* What the tasks have done. */
struct telemetry {
    uint32_t filtered; /* samples */
    uint32_t lost;     /* samples for which the queue had no room */
    uint32_t sent;     /* messages */
    uint32_t refused;  /* messages that did not get the bus in time */
    uint32_t drawn;    /* pictures */
};

extern struct telemetry telemetry;

#endif
