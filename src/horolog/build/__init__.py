# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Builds what runs: firmware by CMake and its compilers, the simulator by Verilator, FreeRTOS's source."""

__all__ = ()
