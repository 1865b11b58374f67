# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The protocol between pyOCD and a `pyocd server` elsewhere (`-u remote:HOST:PORT`): JSON in lines."""

from __future__ import annotations

import json
import socket
from typing import Any

from tests.system.debug_port.ports import Ports

PROPERTIES: dict[str, Any] = {
    "vendor_name": "Horolog",
    "product_name": "stand-in",
    "supported_wire_protocols": ["DEFAULT", "SWD"],
    "wire_protocol": "SWD",
    "capabilities": [],
}


class PyocdProbe:
    def __init__(self, ports: Ports) -> None:
        self.ports = ports

    def serve(self, host: socket.socket) -> None:
        with host.makefile("rw", encoding="utf-8") as lines:
            for line in lines:
                asked = json.loads(line)
                result = self.answer(asked["request"], *asked.get("arguments", ()))
                said = {"id": asked["id"], "status": 0, "result": result}
                lines.write(json.dumps(said) + "\n")
                lines.flush()

    def answer(self, request: str, *of: Any) -> Any:
        if request == "readprop":
            return PROPERTIES[of[0]]
        if request == "read_dp":
            return self.ports.read_port(of[0])
        if request == "write_dp":
            return self.ports.write_port(*of)
        if request in ("read_ap", "read_ap_multiple"):
            found = [self.read(of[0]) for _ in range(of[1] if len(of) > 1 else 1)]
            return found[0] if request == "read_ap" else found
        if request in ("write_ap", "write_ap_multiple"):
            for word in of[1] if isinstance(of[1], list) else [of[1]]:
                if of[0] >> 24 == 0:
                    self.ports.write_access(of[0] & 0xFC, word & 0xFFFFFFFF)  # pyOCD does not mask
            return None
        return False if request in ("is_reset_asserted", "has_swo") else None

    def read(self, address: int) -> int:
        return self.ports.read_access(address & 0xFC) if address >> 24 == 0 else 0
