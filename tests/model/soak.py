# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A part of the model's long campaign, for `horolog bench soak`: python -m tests.model.soak STEPS SEED."""

from __future__ import annotations

import sys

from tests.model.campaign import drive
from tests.model.player import Player, build

__all__ = ["main"]


def main(steps: int, seed: int) -> str:
    """Says how many steps there were; Differs if the kernel does what the model does not allow."""
    with Player(build()) as player:
        return f"{drive(player, steps, first_seed=seed)} steps\n"


if __name__ == "__main__":
    sys.stdout.write(main(*map(int, sys.argv[1:])))
