# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# Armv6-M with the bare-metal GNU compiler, which takes the same flags; HRL_CPU is cortex-m0 or cortex-m0plus.

include(${CMAKE_CURRENT_LIST_DIR}/armv7m.cmake)
