# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Horolog: a real-time kernel whose timing is compiled. This package is its tool."""

__all__ = ["__version__"]

__version__ = "0.1.0"
