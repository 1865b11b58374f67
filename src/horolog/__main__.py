# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The program `horolog`, which is `python -m horolog` as well."""

import signal
import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line. Ctrl-C is quiet from the first moment on: modules take longest to load."""
    try:
        from horolog.cli.main import main as command

        command(prog_name="horolog")
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)  # Exit.INTERRUPTED, without the time to load it


if __name__ == "__main__":
    main()
