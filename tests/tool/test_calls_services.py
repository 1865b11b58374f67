# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The kernel's public calls as the call graph knows them, beside include/hrl."""

from __future__ import annotations

import re
from pathlib import Path

from horolog.calls.services import PUBLIC, service

ROOT = Path(__file__).resolve().parents[2]


def test_every_public_call_is_classified() -> None:
    declared: set[str] = set()
    for header in sorted((ROOT / "include" / "hrl").glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
        text = re.sub(r"^#.*?(?<!\\)$", "", text, flags=re.MULTILINE | re.DOTALL)
        declared |= set(re.findall(r"\b(hrl_\w+)\(", text))
    assert len(declared) > 50
    assert declared - PUBLIC == set()
    assert PUBLIC - declared == set()


def test_where_the_instant_is_said_as_the_headers_have_it() -> None:
    for header in sorted((ROOT / "include" / "hrl").glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
        for name, arguments in re.findall(r"\b(hrl_\w+)\(([^()]*hrl_counts until[^()]*)\);", text):
            earlier = arguments.split("hrl_counts until")[0].split(",")[:-1]
            pointers = sum("*" in one for one in earlier)
            assert all("*" in one or "uint32_t" in one for one in earlier), name
            before = (pointers, len(earlier) - pointers)
            assert service((name,)) in ((name, "until", before), (name, "for threads", (0, 0))), (
                name
            )
