# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# Commands of gdb that show what the kernel knows: horolog threads, ready, releasers, mutexes. They read the objects of a
# firmware by their names and types, as its debug information has them, and change nothing. `horolog gdb` loads this file;
# by hand: gdb-multiarch firmware.elf -x threads.gdb
python
import gdb

NONE = "-"
PAINT = 0x5AC3A53C  # HRLI_STACK_PAINT (kernel/thread/stack.h)
LIVES = ("dormant", "started", "ended", "periodic", "serves", "starting")
LONGEST_NAME, LARGEST_STACK = 64, 1 << 24


class NotYet(Exception):
    """What memory holds are no objects of the kernel's."""


def value(expression):
    """What `expression` says; None where the firmware has no such object."""
    try:
        return gdb.parse_and_eval(expression)
    except gdb.error:
        return None


def has(struct, field):
    return any(one.name == field for one in struct.type.fields())


def text(pointer):
    if not int(pointer):
        return "?"
    said = ""
    for i in range(LONGEST_NAME):
        letter = chr(int(pointer[i]) % 256)
        if letter == "\0":
            return said
        if not letter.isprintable():
            raise NotYet
        said += letter
    raise NotYet


def named(address):
    """The object at `address`, as the linker knows it."""
    said = gdb.execute(f"info symbol {int(address):#x}", to_string=True)
    return said.split(" in section")[0].strip() if " in section" in said else f"{int(address):#x}"


def periodic_threads():
    """Those that the description has: struct hrli_periodic_thread."""
    array = value("hrl_gen_threads")
    if array is None:
        return []
    low, high = array.type.range()
    return [array[i] for i in range(low, high + 1)]


def all_threads():
    """(thread, its periodic thread or None), the idle thread last."""
    found = [(one["thread"], one) for one in periodic_threads()]
    known = {int(thread.address) for thread, _ in found}
    running = value("hrli_core.running")
    system = value("hrl_gen_system")
    others = [] if running is None or not int(running) else [running.dereference()]
    others += objects("struct hrl_thread")
    for one in others + ([] if system is None or not int(system["idle"]) else [system["idle"].dereference()]):
        if int(one.address) not in known:
            known.add(int(one.address))
            found.append((one, None))
    return found


def objects(wanted):
    """Global and static variables of the type `wanted`, by gdb's list of them."""
    found = []
    for line in gdb.execute(f"info variables -q -t {wanted.split()[-1]}", to_string=True).splitlines():
        name = line.rstrip(";").split(" ")[-1] if line.endswith(";") else ""
        one = value(name) if name.isidentifier() else None
        if one is None or str(one.type.strip_typedefs().unqualified()) != wanted:
            continue
        if named(one.address) == name:  # what the linker left out has no place
            found.append(one)
    return found


def ready_levels():
    core = value("hrli_core")
    if core is None:
        return set()
    words = core["ready"]["occupied"]
    low, high = words.type.range()
    bits = words[0].type.sizeof * 8
    return {
        bits * word + bit
        for word in range(low, high + 1)
        for bit in range(bits)
        if int(words[word]) >> bit & 1
    }


def is_ready(thread):
    """Whether it stands in the ready queue: as a bit where masks release, or in the ring of its level."""
    node, queue = thread["ready"], value("hrli_core.ready")
    level = int(node["priority"])
    if level not in ready_levels():
        return False
    if has(queue, "masked") and has(node, "mask_bit") and int(node["mask_bit"]):
        if int(queue["masked"]["ready"][level]) & int(node["mask_bit"]):
            return True
        waiting = queue["masked"]["waiting"]
        word = int(node["mask_priority"])
        if int(waiting[word]) & int(node["mask_bit"]):
            return False
    ring = queue["levels"][level]
    first, here = int(ring.address), int(ring["next"])
    for _ in range(4096):  # a ring that is broken has no end
        if here == first or not here:
            break
        if here == int(node.address):
            return True
        here = int(gdb.Value(here).cast(ring["next"].type)["next"])
    only = has(node, "mask_bit") and int(node["mask_bit"]) == 1 << level if level < 32 else False
    return only or here == int(node.address)


def state(thread):
    running = value("hrli_core.running")
    if running is not None and int(running) == int(thread.address):
        return "running"
    if has(thread, "suspended") and int(thread["suspended"]):
        return "suspended"
    if is_ready(thread):
        return "ready"
    life = int(thread["life"])
    if not 0 <= life < len(LIVES):
        raise NotYet
    return "waits" if LIVES[life] in ("periodic", "started", "serves") else LIVES[life]


def left(thread):
    """Bytes below the stack pointer; and of a painted stack those that were never used."""
    low, size = int(thread["stack"]), int(thread["stack_bytes"])
    if size > LARGEST_STACK:
        raise NotYet
    running = value("hrli_core.running")
    here = running is not None and int(running) == int(thread.address)
    at = int(value("$sp") if here else thread["stack_pointer"])  # in a handler that is the main stack's: "?"
    free = str(at - low) if low <= at <= low + size else "?"
    unused, memory = 0, gdb.selected_inferior().read_memory(low, size) if size else b""
    while 4 * unused + 4 <= size:
        if int.from_bytes(bytes(memory[4 * unused : 4 * unused + 4]), "little") != PAINT:
            break
        unused += 1
    never = str(4 * unused) if unused else NONE
    return f"{free} of {size}", never


def table(heads, rows):
    rows = [*([heads] if heads else []), *rows]
    widths = [max(len(str(cell)) for cell in column) for column in zip(*rows)]
    for row in rows:
        gdb.write("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip() + "\n")


class Shown(gdb.Command):
    """A command that shows what memory holds, if these are objects of the kernel's: not before start-up has made them."""

    def __init__(self):
        super().__init__(self.NAME, gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        try:
            heads, rows = self.rows()
        except (NotYet, gdb.MemoryError):
            gdb.write("no kernel is in memory yet: let the firmware run to main first (break main, continue)\n")
            return
        table(heads, rows)


class Horolog(gdb.Command):
    """What Horolog's kernel knows: horolog threads, ready, releasers, mutexes."""

    def __init__(self):
        super().__init__("horolog", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE, True)


class Threads(Shown):
    """All threads: priority, state, stack that is left, the latest release and the next one, in counts of the clock."""

    NAME = "horolog threads"

    def rows(self):
        rows = []
        for thread, periodic in all_threads():
            released = following = NONE
            if periodic is not None:
                released = int(periodic["waiter"]["released"])
                following = int(periodic["waiter"]["node"]["key"])
            free, never = left(thread)
            rows.append(
                (text(thread["name"]), int(thread["ready"]["priority"]), state(thread), free, never, released, following)
            )
        rows.sort(key=lambda row: -row[1])
        return ("thread", "priority", "state", "stack left", "never used", "released", "next release"), rows


class Ready(Shown):
    """The ready queue: its threads, the most urgent first."""

    NAME = "horolog ready"

    def rows(self):
        rows = []
        for level in sorted(ready_levels(), reverse=True):
            names = [
                text(thread["name"])
                for thread, _ in all_threads()
                if int(thread["ready"]["priority"]) == level and state(thread) in ("ready", "running")
            ]
            rows.append((f"{level}: {', '.join(names) or '?'}",))
        return None, rows


class Releasers(Shown):
    """The releasers: the instant served last and the next interrupt of the cell, in counts; the tasks that wait."""

    NAME = "horolog releasers"

    def rows(self):
        system, rows = value("hrl_gen_system"), []
        for i in range(0 if system is None else int(system["releaser_count"])):
            one = system["releasers"][i].dereference()
            tasks = [
                text(periodic["thread"]["name"])
                for periodic in periodic_threads()
                if int(periodic["waiter"]["releaser"]) == int(one.address)
            ]
            rows.append((i, named(one["cell"]), int(one["served"]), int(one["next"]), ", ".join(tasks)))
        return ("releaser", "cell", "served", "next", "threads"), rows


class Mutexes(Shown):
    """The mutexes: each with its owner and ceiling, and the threads that wait for it."""

    NAME = "horolog mutexes"

    def rows(self):
        rows = []
        for mutex in objects("struct hrl_mutex"):
            owner = mutex["owner"]
            waits = [
                text(thread["name"])
                for thread, _ in all_threads()
                if int(thread["awaited"]) == int(mutex.address)
            ]
            held = text(owner["name"]) if int(owner) else NONE
            rows.append((named(mutex.address), held, int(mutex["ceiling"]) or "inherits", ", ".join(waits) or NONE))
        return ("mutex", "held by", "ceiling", "awaited by"), rows


Horolog()
Threads()
Ready()
Releasers()
Mutexes()
end
