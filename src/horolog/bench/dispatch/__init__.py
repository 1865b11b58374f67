# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `dispatch`: Tables I and III and Figure 7 of SLOTH ON TIME, in cycles of a real core and beside FreeRTOS."""
