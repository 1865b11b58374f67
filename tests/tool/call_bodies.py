# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bodies that tests of the call graph look at: one for each question."""

from __future__ import annotations

import re

__all__ = ["NAMES", "line_of", "source"]

BODIES = """\
#include <string.h>
#include <hrl/event.h>
#include <hrl/message_queue.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#define KEEP(array) __asm__ volatile("" : : "r"(array) : "memory")
volatile int v;
struct hrl_semaphore s;
struct hrl_event e;
struct hrl_message_queue q;

APART int plain(int x) { return x + 3; }
BODY(leaf) { v = plain(v); }

APART int self(int x) { return x < 2 ? 1 : self(x - 1) + self(x - 2); } /* line self */
BODY(direct) { v = self(v); }

APART int odd(int x);
APART int even(int x) { return x == 0 ? 1 : 1 + odd(x - 1); } /* line even */
APART int odd(int x) { return x == 0 ? 0 : 2 + even(x - 1); }
BODY(mutual) { v = even(v); }

APART int tail_back(int x);
APART int tail_to(int x) { v = x; return tail_back(x - 1); }
APART int tail_back(int x) { return x < 0 ? x : 1 + tail_to(x); }
BODY(tail) { v = tail_to(v); }

APART void pong(int x);
APART void ping(int x) { v = x; pong(x + 1); }
APART void pong(int x) { v = x; ping(x + 2); }
BODY(tails_only) { ping(v); v = 1; }

int (*table[4])(int) = {plain, self, even, tail_to};
BODY(pointer) { v = table[v & 3](v) + 1; }

APART void switched(int x)
{
    switch (x) {
    case 0: v = 3; break;
    case 1: v += 9; break;
    case 2: v = 7 + v * 2; break;
    case 3: v = plain(v); break;
    case 4: v += 13; break;
    case 5: v -= 19; break;
    case 6: v ^= 99; break;
    case 7: v |= 4; break;
    }
}
BODY(jump_table) { switched(v); }

APART void sleeper(void) { hrl_thread_sleep_for(HRL_MS(1)); v = 2; } /* line sleeper */
APART void helper(void) { sleeper(); v++; } /* line helper */
BODY(sleeps) { helper(); v = 4; }

BODY(asks)
{
    uint32_t seen;
    v = hrl_semaphore_take(&s, HRL_NO_WAIT);
    v = hrl_event_wait(&e, 1, HRL_EVENT_ANY, HRL_NO_WAIT, &seen);
    v = hrl_message_send(&q, &seen, HRL_NO_WAIT);
    v = hrl_semaphore_give(&s);
}

APART int take(hrl_counts until) { return hrl_semaphore_take(&s, until) + 1; }
BODY(may_wait) { v = take(HRL_NO_WAIT); }

BODY(either) { v = hrl_semaphore_take(&s, v ? HRL_FOREVER : HRL_NO_WAIT); }
BODY(rather) { v = hrl_semaphore_take(&s, v ? HRL_NO_WAIT : HRL_FOREVER); }

APART void change(hrl_counts *until) { *until = HRL_FOREVER; }
BODY(changed)
{
    hrl_counts until = HRL_NO_WAIT;
    change(&until);
    v = hrl_semaphore_take(&s, until);
}
BODY(changed_somewhere)
{
    hrl_counts until[2] = {HRL_NO_WAIT, HRL_NO_WAIT};
    change(&until[v & 1]);
    v = hrl_semaphore_take(&s, until[0]);
}

BODY(waits)
{
    uint32_t seen;
    v = hrl_event_wait(&e, 1, HRL_EVENT_ANY, HRL_FOREVER, &seen);
    v++;
}

APART int dynamic(int n)
{
    char *room = __builtin_alloca((unsigned)n);
    memset(room, n, (unsigned)n);
    return room[v];
}
BODY(alloca_user) { v = dynamic(v); }

volatile uint64_t wide;
APART void library(void) { wide = wide / (uint64_t)v; char x[400]; memset(x, v, sizeof x); KEEP(x); }
BODY(uses_library) { library(); }

APART int deep(int x) { int room[100]; for (int i = 0; i < 100; i++) room[i] = v; return room[x]; }
APART int wide_room(int x)
{
    int room[50];
    for (int i = 0; i < 50; i++) room[i] = v;
    return deep(x) + room[x];
}
BODY(stack) { v = wide_room(v) + deep(v); }

BODY(big_frame) { char room[6000]; memset(room, v, sizeof room); KEEP(room); }

BODY(loops) { while (v != 0) { v = plain(v); } }
"""

NAMES = re.findall(r"^BODY\((\w+)\)", BODIES, re.MULTILINE)
"""Names of the bodies, which are numbered in this order."""


def source() -> str:
    """The program."""
    text = BODIES
    for index, name in enumerate(NAMES):
        text = text.replace(
            f"BODY({name})",
            f"void hrl_gen_body_{index}(void);\n__attribute__((noinline)) void hrl_gen_body_{index}(void)",
        )
    return "#include <hrl/time.h>\n#define HRL_CLOCK_HZ 25000000u\n" + text


def line_of(mark: str) -> int:
    """Which line of it has this mark."""
    return next(
        n for n, line in enumerate(source().splitlines(), 1) if f"/* line {mark} */" in line
    )
