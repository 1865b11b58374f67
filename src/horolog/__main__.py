# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`python -m horolog` is `horolog`."""

from horolog.cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    main(prog_name="horolog")
