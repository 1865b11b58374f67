# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Random scripts for several cores through kernel and model.

For `horolog bench soak`: python -m tests.model.campaign_cores STEPS SEED CORES.
"""

from __future__ import annotations

import sys

from tests.model.campaign import Differs, say_difference, steps_in
from tests.model.generate_cores import script_on_cores
from tests.model.player import Player, build
from tests.model.reference.cores import explain_cores
from tests.model.script import Script
from tests.model.simplify import simplify

__all__ = ["check_cores", "drive_cores", "main"]


def check_cores(script: Script, trace: list[str]) -> None:
    """Differs says where `trace` leaves what the model allows."""
    found = explain_cores(script, trace)
    if not found.holds:
        raise Differs(say_difference(script, trace, found), script)


def drive_cores(
    player: Player, cores: int, steps: int, first_seed: int, *, simplified: bool = True
) -> int:
    """Plays scripts until they had `steps` steps; the number that they had. The same ones every time.

    Differs has the smallest script found, unless `simplified` is False: then the first one.
    """
    played, seed = 0, first_seed
    while played < steps:
        script = script_on_cores(cores, seed)
        trace = player.play(script)
        if not explain_cores(script, trace).holds and simplified:
            script = simplify(script, lambda one: not explain_cores(one, player.play(one)).holds)
            trace = player.play(script)
        check_cores(script, trace)
        played += steps_in(trace)
        seed += 1
    return played


def main(steps: int, seed: int, cores: int) -> str:
    """Says how many steps there were; Differs if the kernel does what the model does not allow."""
    with Player(build(f"model_play_x{cores}")) as player:
        return f"{drive_cores(player, cores, steps, first_seed=seed)} steps\n"


if __name__ == "__main__":
    sys.stdout.write(main(*map(int, sys.argv[1:])))
