# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Stands for a debug probe at an STM32, behind which our simulator's gdb server is the chip.

    python -m tests.system.debug_port FRONT PORT SIMULATOR_PORT IDCODE FLASH_KB

Real gdb servers drive it: FRONT is black-magic (probe-rs), bitbang (OpenOCD) or pyocd. What they ask for goes
through a debug port, an access port and the processor's debug registers, as it does in a chip. IDCODE is what
DBGMCU says, FLASH_KB the size of flash where an F1 and an F4 have it.
"""

from __future__ import annotations

import socket
import struct
import sys

from tests.system.debug_port.bitbang import Bitbang
from tests.system.debug_port.black_magic import BlackMagic
from tests.system.debug_port.chip import DBGMCU_IDCODE, HERE, Chip, Simulator, debug_components
from tests.system.debug_port.ports import Ports
from tests.system.debug_port.pyocd_probe import PyocdProbe

FRONTS: dict[str, type[Bitbang | BlackMagic | PyocdProbe]] = {
    "black-magic": BlackMagic,
    "bitbang": Bitbang,
    "pyocd": PyocdProbe,
}
FLASH_SIZES = (0x1FFFF7E0, 0x1FFF7A22)


def main(front: str, port: int, behind: int, idcode: int, flash_kb: int) -> None:
    size = struct.pack("<H", flash_kb)
    fixed = {DBGMCU_IDCODE: struct.pack("<I", idcode), **dict.fromkeys(FLASH_SIZES, size)}
    fixed.update(debug_components())
    ports = Ports(Chip(Simulator(behind), fixed))
    with socket.create_server((HERE, port)) as listener:
        sys.stdout.write("listening\n")
        sys.stdout.flush()
        while True:
            host = listener.accept()[0]
            host.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with host:
                FRONTS[front](ports).serve(host)


if __name__ == "__main__":
    main(sys.argv[1], *(int(one, 0) for one in sys.argv[2:]))
