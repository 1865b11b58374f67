# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""ThreadX's figures as they were measured last, for users without a build of it.

bench/kernel/threadx/recorded.json is a copy of what `THREADX=<checkout> horolog bench kernel` writes.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from horolog.data import data_root

__all__ = ["RECORDED", "Recorded", "recorded", "recorded_from", "recorded_text"]

RECORDED = "recorded.json"


@dataclass(frozen=True)
class Recorded:
    """`samples`, by scenario or by what is counted in bytes: instructions of a sample, or bytes.

    `options`: what ThreadX's tx_user.h defined.
    """

    version: str
    toolchain: str
    options: tuple[str, ...]
    samples: Mapping[str, Fraction]


@functools.cache
def recorded() -> Recorded:
    """The one that comes with Horolog."""
    path = data_root() / "bench" / "kernel" / "threadx" / RECORDED
    return recorded_from(path.read_text(encoding="utf-8"))


def recorded_text(one: Recorded) -> str:
    """`one` as JSON."""
    samples = {name: [*value.as_integer_ratio()] for name, value in sorted(one.samples.items())}
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(value)}" for name, value in samples.items()
    )
    fields = {"version": one.version, "toolchain": one.toolchain, "options": one.options}
    head = "".join(f"{json.dumps(key)}: {json.dumps(value)},\n" for key, value in fields.items())
    return f'{{\n{head}"samples": {{\n{lines}\n}}\n}}\n'


def recorded_from(text: str) -> Recorded:
    """What `recorded_text` wrote."""
    data: dict[str, Any] = json.loads(text)
    samples = {name: Fraction(*ratio) for name, ratio in data["samples"].items()}
    return Recorded(data["version"], data["toolchain"], tuple(data["options"]), samples)
