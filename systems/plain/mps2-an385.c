/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* mps2-an385: sleeps and time-outs on a timer that runs on and is moved. */
#define PLAIN_TIME timer0
#define PLAIN_ARM move
#define PLAIN_PREPARE(prepare) prepare PLAIN_VERB_timer0(run)(PLAIN_CHANNEL_timer0);
#define PLAIN_SLICES systick
#include "plain_system.h"
