# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The arrows of docs/adr/0001-layers.md, checked on #includes and on the symbols of objects.

The build gives each room only the include paths that it may use; these tests hold also for what no
build compiles, and say which arrow is wrong. A function of another room can be called without an #include,
by a declaration in the public API or in the room itself; only the symbols show that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from horolog.programs import call

ROOT = Path(__file__).resolve().parents[2]

MAY_USE = {
    "time": set(),
    "queue": {"time"},
    "ready": {"time"},
    "release": {"time", "queue", "ready"},
    "core": {"time", "ready"},
    "trace": {"time", "ready", "core"},
    "interrupt": {"time"},
    "basic": {"time", "ready", "core"},
    "guard": {"time", "core", "basic"},
    "table": {"time", "ready", "basic"},
    "thread": {"time", "queue", "ready", "release", "core"},
    "server": {"time", "queue", "ready", "release", "core", "basic", "thread"},
    # No queue: time-outs go through a releaser.
    "sync": {"time", "ready", "release", "core", "thread"},
    "assemble": {
        "time",
        "queue",
        "ready",
        "release",
        "core",
        "interrupt",
        "basic",
        "guard",
        "table",
        "thread",
        "server",
        "sync",
    },
}
"""The other rooms of kernel/ whose headers a room may include."""

FREESTANDING = {
    "float.h",
    "iso646.h",
    "limits.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",  # the compiler's; for fences, which need no library
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdnoreturn.h",
}
"""What C11 (section 4, paragraph 6) gives a program without an operating system, and fences."""

OF_AVR = {"avr/interrupt.h", "avr/io.h", "avr/pgmspace.h"}
"""Names of a chip's registers, and how its flash is read, from avr-libc; they link nothing."""

PORT_PROVIDED = re.compile(r"hrlp_\w+_(arch|device|controller)\.h|hrlp_rv32_start\.inc")
"""Headers of which each port has its own; ports/include includes the chosen port's."""

CELL_USES_ARCH = {"host": "host"}
"""Timers that exist on one architecture only and reach their interrupt line through its headers."""
CELL_USES_CELL = {"own-cells": "timer-cells", "own-alarms": "rp-timer"}
"""Timers that are others by another number."""

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>]+)>|"([^"]+)")', re.MULTILINE)
_CONDITIONAL = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif)\b(.*)$")


def includes(text: str) -> Iterator[tuple[str, bool]]:
    """Each header that `text` includes, and whether in angle brackets."""
    for match in _INCLUDE.finditer(text):
        yield match[1] or match[2], match[1] is not None


def sources(folder: str) -> list[Path]:
    """The C and assembly files in `folder` of the repository and below it."""
    found = (ROOT / folder).rglob("*")
    return sorted(path for path in found if path.suffix in (".c", ".h", ".S", ".inc"))


def names(paths: list[Path]) -> set[str]:
    return {path.name for path in paths if path.suffix in (".h", ".inc")}


def public_headers() -> set[str]:
    return {f"hrl/{name}" for name in names(sources("include/hrl"))}


def wrong_includes(text: str, quoted: set[str], system: set[str] | None = None) -> list[str]:
    """What `text` includes beside the headers `quoted`, the public ones and `system` (None: any)."""
    wrong = []
    for header, angled in includes(text):
        if header in public_headers():
            allowed = angled
        elif angled:
            allowed = system is None or header in system
        else:
            allowed = header in quoted
        if not allowed:
            wrong.append(header)
    return wrong


def unexplained_conditionals(text: str) -> list[str]:
    """Conditional compilation that is no header guard, no __cplusplus and has no comment beside it."""
    lines = text.splitlines()
    found = []
    for number, line in enumerate(lines):
        match = _CONDITIONAL.match(line)
        if match is None:
            continue
        word, condition = match[1], match[2].strip()
        following = lines[number + 1].split() if number + 1 < len(lines) else []
        is_guard = word == "ifndef" and following[:2] == ["#define", condition]
        before = lines[number - 1].strip() if number else ""
        is_explained = "/*" in line or before.endswith("*/") or before.startswith("//")
        if not (is_guard or condition == "__cplusplus" or is_explained):
            found.append(f"line {number + 1}: {line.strip()}")
    return found


def families() -> dict[str, set[str]]:
    """By architecture the folders of ports/ that it shares with others; of those, the architectures.

    What a family shares includes what each of its architectures has for it.
    """
    found: dict[str, set[str]] = {}
    for port in ROOT.glob("ports/*/*/port.toml"):
        family = re.search(r'^family = "(.*)"$', port.read_text(encoding="utf-8"), re.MULTILINE)
        if family is not None:
            arch = port.parts[-3]
            found.setdefault(arch, set()).add(f"ports/{family[1]}")
            found.setdefault(family[1], set()).add(f"ports/{arch}")
    return found


def ids(path: Path) -> str:
    return str(path.relative_to(ROOT))


KERNEL = sources("kernel")


@pytest.mark.parametrize("path", KERNEL, ids=ids)
def test_a_room_of_the_kernel_includes_only_the_rooms_below_it(path: Path) -> None:
    room = path.relative_to(ROOT / "kernel").parts[0]
    assert room in MAY_USE, f"kernel/{room} is not a room of docs/adr/0001-layers.md"
    below = {room} | MAY_USE[room]
    usable = names([header for name in below for header in sources(f"kernel/{name}")])
    usable |= names(sources("ports/include"))
    assert wrong_includes(path.read_text(), usable, FREESTANDING) == []


@pytest.mark.parametrize("path", sources("include"), ids=ids)
def test_the_public_api_stands_on_nothing_but_c(path: Path) -> None:
    """And on what a port has for it, in a folder of its own: that one header stands on nothing."""
    inlined = {"hrlp_raise_controller.h"} if path.name == "interrupt.h" else set()
    assert wrong_includes(path.read_text(), inlined, FREESTANDING) == []


def test_what_a_port_has_for_the_public_api_stands_alone() -> None:
    headers = [path for path in sources("ports") if path.parent.name == "public"]
    assert {path.name for path in headers} == {"hrlp_raise_controller.h"}
    assert [ids(path) for path in headers if list(includes(path.read_text()))] == []
    for described in ROOT.glob("ports/*/*/port.toml"):
        controller = described.parent
        assert (controller / "public").is_dir() or (controller.parent / "public").is_dir()


@pytest.mark.parametrize("path", sources("ports/include"), ids=ids)
def test_the_porting_contract_includes_itself_and_the_chosen_port(path: Path) -> None:
    provided = {n for n in names(sources("ports")) if PORT_PROVIDED.fullmatch(n)}
    usable = names(sources("ports/include")) | provided
    assert wrong_includes(path.read_text(), usable, FREESTANDING) == []


PROCESSORS = sorted({path.parts[-3] for path in ROOT.glob("ports/*/*/port.toml")})
FAMILIES = families()
PORTS = [path for path in sources("ports") if "include" not in path.parts[-2:]]
OF_BOARDS = {
    device: {"hrlp_board_timers.h"} for device in ("nrf-rtc", "nrf-timer", "rp-timer", "stm32-tim")
}
"""Of a device: headers of a board's folder `port`, which `horolog board new` writes."""


OF_LIBRARIES = {"newlib.c": {"errno.h", "stdio.h", "sys/stat.h"}, "picolibc.c": {"stdio.h"}}
"""What a C library asks of a system is said in its own headers."""


@pytest.mark.parametrize("path", PORTS, ids=ids)
def test_a_port_includes_the_porting_contract_only(path: Path) -> None:
    group, name = path.relative_to(ROOT / "ports").parts[:2]
    own = f"ports/{group}/{name}" if group == "cell" else f"ports/{group}"
    folders = [own, "ports/include", *FAMILIES.get(group, ())]
    if group == "cell" and name in CELL_USES_ARCH:
        folders.append(f"ports/{CELL_USES_ARCH[name]}")
    if group == "cell" and name in CELL_USES_CELL:
        folders.append(f"ports/cell/{CELL_USES_CELL[name]}")
    usable = names([header for folder in folders for header in sources(folder)])
    usable |= OF_BOARDS.get(name, set())
    system = None if "host" in (group, name) else FREESTANDING
    if "avr" in (group, name.split("-")[0]):
        system = FREESTANDING | OF_AVR
    if system is not None:
        system = system | OF_LIBRARIES.get(path.name, set())
    assert wrong_includes(path.read_text(), usable, system) == []


def test_boards_hold_no_code_but_the_lines_and_timers_of_their_chip() -> None:
    found = [path.relative_to(ROOT / "boards") for path in sources("boards")]
    assert {path.parts[1:] for path in found} <= {
        ("port", "hrlp_lines_controller.h"),
        ("port", "hrlp_board_timers.h"),
    }
    assert not any("#include" in (ROOT / "boards" / path).read_text() for path in found)


def test_a_header_is_found_by_its_name_alone() -> None:
    inside = [*KERNEL, *sources("ports")]  # the public ones are found as <hrl/name.h>
    headers = [path.name for path in inside if path.suffix in (".h", ".inc")]
    count = Counter(name for name in headers if not PORT_PROVIDED.fullmatch(name))
    assert [name for name, times in count.items() if times > 1] == []


def test_every_architecture_provides_the_same_headers() -> None:
    provided = {
        arch: {name for name in names(sources(f"ports/{arch}")) if name.endswith("_arch.h")}
        for arch in PROCESSORS
    }
    assert len(provided) > 2
    assert len({frozenset(headers) for headers in provided.values()}) <= 1, provided


@pytest.mark.parametrize("path", [*KERNEL, *sources("include"), *sources("systems")], ids=ids)
def test_conditional_compilation_has_a_reason(path: Path) -> None:
    assert unexplained_conditionals(path.read_text()) == []


def test_the_build_gives_each_room_the_same_rooms() -> None:
    """And those whose headers these include (ADR 0001, Consequences), which it may not name."""
    rooms = (ROOT / "cmake" / "kernel.cmake").read_text()
    built = re.findall(r"hrl_room\(\S+ \S+ (\w+)(?: MAY_USE ([\w ]+?))?(?: PORT|\))", rooms)
    assert built
    for room, others in built:
        assert set(others.split()) <= carried(room), f"kernel.cmake lets {room} see too much"


OF_THE_APPLICATION = re.compile(r"hrl_gen_\w+|hrl_\w+_hook")
"""What a described system and an application define; the kernel and the ports have weak hooks."""

OF_THE_PORT = re.compile(r"hrlp_\w+")
OF_THE_COMPILER = re.compile(r"mem(cpy|set|move|cmp)|__\w+|_GLOBAL_OFFSET_TABLE_")

_FULL = ("HRL_BASIC_TASKS", "HRL_RELEASE_MASKS", "HRL_RUN_TIME", "HRL_CHECKS")
_PORT = (
    "include",
    "ports/include",
    "ports/host",
    "ports/host/servers",
    "ports/host/public",
    "ports/cell/host",
)


def carried(room: str) -> set[str]:
    """The rooms whose headers those of `room` and of the rooms that it may use include."""
    return MAY_USE[room].union(*(MAY_USE[other] for other in MAY_USE[room]))


def compiled(room: str, folder: Path, *, apart: bool = False) -> list[Path]:
    """The objects of `room`: of its sources, and of its headers with their inline functions kept.

    One object of all headers, or with `apart` one of each: `x.c` becomes `x.o`, `x.h` `x.header.o`.
    """
    headers = [path for path in sources(f"kernel/{room}") if path.suffix == ".h"]
    groups = {f"{path.stem}.header": [path] for path in headers} if apart else {"headers": headers}
    for name, group in groups.items():
        text = "".join(f'#include "{path.name}"\n' for path in group)
        (folder / f"{name}.c").write_text(text)
    code = [path for path in sources(f"kernel/{room}") if path.suffix == ".c"]
    places = [*_PORT, *(f"kernel/{name}" for name in MAY_USE)]
    done = call(
        ["gcc", "-std=gnu11", "-c", "-O0", "-w", "-fno-pic", "-fkeep-inline-functions"]
        + ["-Dalways_inline=noinline"]  # which would not be kept
        + [f"-D{name}=1" for name in _FULL]
        + [f"-I{ROOT / place}" for place in places]
        + [*map(str, code), *(f"{name}.c" for name in groups)],
        folder=folder,
        seconds=120,
    )
    assert done.status == 0, done.errors
    return sorted(folder.glob("*.o"))


def symbols(objects: list[Path], which: str) -> set[str]:
    """The external symbols of `objects` that nm lists by the option `which`."""
    done = call(["nm", "--extern-only", "--format=posix", which, *map(str, objects)], seconds=60)
    assert done.status == 0, done.errors
    lines = done.output.splitlines()
    return {line.split()[0] for line in lines if line and not line.endswith(":")}


def wrong_symbols(
    needs: dict[str, set[str]],
    defined: dict[str, set[str]],
    may_use: dict[str, set[str]],
    upcalls: set[str],
) -> dict[str, set[str]]:
    """By room, what it `needs` and no room that it may use defines, nor a port, the application or C."""
    elsewhere = (OF_THE_APPLICATION, OF_THE_COMPILER, OF_THE_PORT)
    wrong = {}
    for room, needed in needs.items():
        below = defined[room].union(upcalls, *(defined[other] for other in may_use[room]))
        wrong[room] = {
            name
            for name in needed - below
            if not any(pattern.fullmatch(name) for pattern in elsewhere)
        }
    return {room: found for room, found in wrong.items() if found}


def test_a_room_of_the_kernel_needs_only_the_rooms_below_it(tmp_path: Path) -> None:
    """Compiled for the host with all that a build may switch on."""
    needs, defined = {}, {}
    for room in MAY_USE:
        (tmp_path / room).mkdir()
        objects = compiled(room, tmp_path / room)
        needs[room] = symbols(objects, "--undefined-only")
        defined[room] = symbols(objects, "--defined-only")
    text = "".join(path.read_text() for path in sources("ports/include"))
    upcalls = set(re.findall(r"\bhrli_\w+", text))
    assert sum(map(len, needs.values())) > 100
    assert wrong_symbols(needs, defined, MAY_USE, upcalls) == {}


def test_no_circle_of_rooms() -> None:
    assert set(TopologicalSorter(MAY_USE).static_order()) == set(MAY_USE)
    assert {path.name for path in (ROOT / "kernel").iterdir() if path.is_dir()} == set(MAY_USE)


def files_used(room: str, folder: Path) -> dict[str, set[str]]:
    """By file of `room`, x.c and x.h as one, the other files that it includes or calls functions of.

    An object shows also what the inline functions of its headers call; it includes these, so that
    this makes no circle that is none.
    """
    paths = sources(f"kernel/{room}")
    used: dict[str, set[str]] = {path.stem: set() for path in paths}
    for path in paths:
        quoted = {Path(name).stem for name, angled in includes(path.read_text()) if not angled}
        used[path.stem] |= quoted & used.keys()
    objects = compiled(room, folder, apart=True)
    defined = {one.stem: symbols([one], "--defined-only") for one in objects}
    for one in objects:
        needed = symbols([one], "--undefined-only")
        used[one.stem.removesuffix(".header")] |= {
            other for other, names_ in defined.items() if needed & names_
        }
    return {stem: others - {stem} for stem, others in used.items()}


@pytest.mark.parametrize("room", ["basic", "thread"])
def test_no_circle_of_files(room: str, tmp_path: Path) -> None:
    used = files_used(room, tmp_path)
    assert sum(map(len, used.values())) > 10
    assert set(TopologicalSorter(used).static_order()) == set(used)


def test_the_check_sees_symbols_of_a_room_above() -> None:
    needs = {"low": {"up", "hrli_asked", "hrlp_asked", "hrl_gen_x", "memcpy"}, "high": {"down"}}
    defined = {"low": {"down"}, "high": {"up"}}
    found = wrong_symbols(needs, defined, {"low": set(), "high": {"low"}}, {"hrli_asked"})
    assert found == {"low": {"up"}}


def test_every_kernel_source_has_its_tests() -> None:
    """tests/unit mirrors kernel/: kernel/queue/x.c is tested by tests/unit/queue/test_x.c."""
    without = []
    for path in KERNEL:
        has_code = path.suffix == ".c" or "static inline" in path.read_text()
        place = ROOT / "tests" / "unit" / path.relative_to(ROOT / "kernel").parent
        if has_code and not list(place.glob(f"test_{path.stem}.*")):
            without.append(ids(path))
    assert without == []


def test_the_checks_see_what_is_wrong() -> None:
    text = (
        '#include "mine.h"\n#include <stdio.h>\n#include <hrl/types.h>\n  # include "hrl/time.h"\n'
    )
    assert wrong_includes(text, {"mine.h"}, FREESTANDING) == ["stdio.h", "hrl/time.h"]
    guard = "#ifndef A_H\n#define A_H\n#ifdef __cplusplus\n#endif\n#endif\n"
    assert unexplained_conditionals(guard) == []
    assert unexplained_conditionals("/* The FPU is optional. */\n#if HAS_FPU\n#endif\n") == []
    assert unexplained_conditionals("int a;\n#ifdef TRACE\n#endif\n") == ["line 2: #ifdef TRACE"]
