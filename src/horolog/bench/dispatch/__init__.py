# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `dispatch`: SLOTH ON TIME's Tables I and III and Figure 7, in cycles of a real core."""
