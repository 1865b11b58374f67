/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_QUEUE_NODE_H
#define HRLI_QUEUE_NODE_H

/*
 * What a delay queue holds, struct hrli_queue_node: a part of objects that applications define.
 */
#include <hrl/objects.h>

#endif
