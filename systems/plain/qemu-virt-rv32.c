/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* qemu-virt-rv32: there is one cell, so that no time slices have one of their own. */
#define PLAIN_TIME mtimecmp
#include "plain_system.h"
