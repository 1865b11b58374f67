# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How templates are read, of C, CMake and whatever else the tool writes for its user."""

from __future__ import annotations

import jinja2

__all__ = ["environment"]


def environment(package: str) -> jinja2.Environment:
    """Of the templates of `package`, its folder templates/. A name that is not given is an error."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
