# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The suite over random systems finds what is wrong: lines of the kernel are broken, one at a time.

As tests/model/test_faults.py, and a soak as that is. Where a line has changed, say here how to break the new
one.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TREE = (
    *("kernel", "include", "ports", "cmake", "systems", "examples"),
    *("bench", "boards", "watch", "tests"),
)
"""What tests/CMakeLists.txt builds from."""
SUITE = "conform_release_random_systems_masks"
LEVELS = "unit_release_release_by_mask_masks"
SYSTEMS = 25
SECONDS = 20  # a broken kernel may hang, which is found, too


@dataclass(frozen=True)
class Fault:
    """One broken line, and the variant of the suite that is to find it; "": LEVELS finds it."""

    variant: str
    file: str
    right: str
    wrong: str


PERIODIC = "kernel/release/periodic.h"
ONE_SHOT = "kernel/release/one_shot.h"
COOPERATIVE = "kernel/release/cooperative.h"
UNSORTED = "kernel/release/unsorted_list.h"
HARMONIC = "kernel/release/harmonic_array.h"
GROUPS = "kernel/release/period_groups.h"
TABLE = "kernel/release/mask_table.h"
READY = "kernel/ready/ready_queue.h"
RELEASER = "kernel/release/releaser.h"
THREAD = "kernel/thread/release_wait.c"
BY_MASK = "kernel/release/release_by_mask.h"
FAULTS = {
    # periods with hops
    "a release that passed while its thread woke at a hop is an overrun": Fault(
        "periodic, sorted list",
        THREAD,
        "wait_by_whole_clock(self, step) || waited)",
        "wait_by_whole_clock(self, step))",
    ),
    "a job begins at the first hop": Fault(
        "one-shot, sorted list",
        THREAD,
        "            waited |= wait_by_whole_clock(self, HRLI_PERIOD_HOP_COUNTS);\n",
        "            waited |= wait_by_whole_clock(self, HRLI_PERIOD_HOP_COUNTS);\n"
        "            if (waited) { return missed; }\n",
    ),
    # periodic
    "nothing is served on a periodic cell": Fault(
        "periodic, sorted list",
        PERIODIC,
        "    hrli_releaser_mark_served(base, instant);\n",
        "",
    ),
    "one instant in too many": Fault(
        "periodic, sorted list",
        PERIODIC,
        "releaser->skip = divider;",
        "releaser->skip = divider + 1;",
    ),
    "no task is late on a periodic cell": Fault(
        "periodic, sorted list",
        PERIODIC,
        "if (base->served - from >= span) {",
        "if (base->served - from >= span && false) {",
    ),
    "serves what is not due": Fault(
        "periodic, sorted list",
        PERIODIC,
        "base->next = instant + counts;",
        "base->next = instant + counts - 1;",
    ),
    "no task is late that is taken at once": Fault(
        "periodic, period groups",
        RELEASER,
        "if (releaser->served - from >= span) {",
        "if (releaser->served - from >= span && false) {",
    ),
    # one-shot
    "what is near is left to another interrupt": Fault(
        "one-shot, sorted list",
        ONE_SHOT,
        "    now = hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS;",
        "    now = hrlp_clock_read();",
    ),
    "not armed for a new first": Fault(
        "one-shot, sorted list",
        ONE_SHOT,
        "} else if (__builtin_expect(is_first, 0)) {",
        "} else if (!is_first) {",
    ),
    "the clock is not asked": Fault(
        "one-shot, sorted list",
        ONE_SHOT,
        "return __builtin_expect(passed < span, 1) ||",
        "return __builtin_expect(passed >= span, 1) || true ||",
    ),
    "a walk is not caught up": Fault(
        "one-shot, sorted list",
        ONE_SHOT,
        "if (__builtin_expect(base->deferred, 0)) {\n        hrli_releaser_catch_up(base);",
        "if (base->deferred) {\n        base->deferred = false;",
    ),
    "nothing is served on a one-shot cell": Fault(
        "one-shot, mask table",
        ONE_SHOT,
        "hrl_stamp instant = *due;\n        hrli_releaser_mark_served(base, instant);\n",
        "hrl_stamp instant = *due;\n",
    ),
    # cooperative
    "a partner leaves what is due just now": Fault(
        "cooperative, sorted list",
        COOPERATIVE,
        "if (!hrli_stamp_branch_after(*due, partner->base.served)) {",
        "if (hrli_stamp_after(partner->base.served, *due)) {",
    ),
    "not armed after a partner": Fault(
        "cooperative, mask table",
        COOPERATIVE,
        "} else if (!parts->releaser->is_armed) {",
        "} else if (false) {",
    ),
    "armed for what a partner serves": Fault(
        "cooperative, period groups",
        COOPERATIVE,
        "if (!hrli_stamp_branch_after(parts->partners[i]->base.next, instant)) {",
        "if (hrli_stamp_after(instant, parts->partners[i]->base.next)) {",
    ),
    "a hop to what has passed": Fault(
        "cooperative, sorted list",
        RELEASER,
        "if (hrli_stamp_branch_after(instant, now + span)) {",
        "if (instant - now > span) {",
    ),
    "a partner serves while a thread walks": Fault(
        "cooperative, sorted list",
        COOPERATIVE,
        "        parts->releaser->one_shot.base.deferred = true;\n        return;\n    }\n"
        "    hrli_cooperative_serve_after",
        "        return;\n    }\n    hrli_cooperative_serve_after",
    ),
    # unsorted list
    "an earlier one is not noticed": Fault(
        "periodic, unsorted list",
        UNSORTED,
        "if (last == &list->head || hrli_stamp_after(list->next_release, node->key)) {",
        "if (last == &list->head) {",
    ),
    "the first instant of those that stay": Fault(
        "periodic, unsorted list",
        UNSORTED,
        "} else if (hrli_stamp_after(list->next_release, node->key)) {",
        "} else if (false) {",
    ),
    "a task that is due just now is not": Fault(
        "periodic, unsorted list",
        UNSORTED,
        "if (!hrli_stamp_after(node->key, instant)) {",
        "if (hrli_stamp_after(instant, node->key)) {",
    ),
    "a released task stays in the list": Fault(
        "periodic, unsorted list", UNSORTED, "            hrli_unsorted_list_remove(node);\n", ""
    ),
    # harmonic array
    "a level does not begin anew": Fault(
        "periodic, harmonic array",
        HARMONIC,
        "level->left = level->every;",
        "level->left = 1;",
    ),
    "the entries of the first level again": Fault(
        "periodic, harmonic array", HARMONIC, "waiting += level->tasks;", ""
    ),
    "a released task still waits": Fault(
        "periodic, harmonic array", HARMONIC, "*waiting = NULL;", ""
    ),
    "the first chain only": Fault(
        "periodic, harmonic array",
        HARMONIC,
        "for (uint32_t i = 0; i < array->count; i++) {",
        "for (uint32_t i = 0; i == 0; i++) {",
    ),
    # period groups
    "fractions of a count are lost": Fault(
        "one-shot, period groups",
        GROUPS,
        "group->next = hrli_period_advance(&group->period, instant);",
        "group->next = instant + group->period.counts;",
    ),
    "the last group comes first": Fault(
        "one-shot, period groups",
        GROUPS,
        "        if (group->next - instant < ahead) {",
        "        if (group->next != instant) {",
    ),
    "a count too late": Fault(
        "one-shot, period groups",
        GROUPS,
        "groups->due = instant + ahead;",
        "groups->due = instant + ahead + 1;",
    ),
    "one group is not looked at": Fault(
        "periodic, period groups",
        GROUPS,
        "group != end; group++) {\n        hrli_period_group_release(releaser, group, instant);\n    }",
        "group < end - 1; group++) {\n        hrli_period_group_release(releaser, group, instant);\n    }",
    ),
    # mask table
    "rows before the cycle come again": Fault(
        "one-shot, mask table", TABLE, "table->at = table->cycle;", "table->at = 0;"
    ),
    "every instant has a row": Fault(
        "periodic, mask table", TABLE, "if (table->next != instant) {", "if (false) {"
    ),
    "the gap of another row": Fault(
        "one-shot, mask table",
        TABLE,
        "table->next = instant + row->gap;",
        "table->next = instant + table->rows[0].gap;",
    ),
    "the mask of another row": Fault(
        "periodic, mask table", TABLE, "&table->masks[row->mask]", "&table->masks[0]"
    ),
    # masks in the ready queue
    "a task that does not wait is released": Fault(
        "periodic, period groups",
        READY,
        "uint32_t released = waiting & part->bits;",
        "uint32_t released = part->bits;",
    ),
    "the level is not occupied": Fault(
        "periodic, mask table", READY, "        hrli_ready_occupy(queue, part->level);\n", ""
    ),
    "the ring comes before bits": Fault(
        "anything",
        READY,
        "    if (hrli_ready_has_bits(queue, level)) {\n        return hrli_masked_first",
        "    if (hrli_ready_is_ring_empty(queue, level)) {\n        return hrli_masked_first",
    ),
    "the last of the bits leaves the ring alone": Fault(
        "anything",
        READY,
        "if (!hrli_ready_has_bits(queue, level) && hrli_ready_is_ring_empty(queue, level)) {",
        "if (!hrli_ready_has_bits(queue, level)) {",
    ),
    "the last of the ring leaves bits alone": Fault(
        "anything",
        READY,
        "        !hrli_ready_has_bits(queue, node->priority)) {",
        "        true) {",
    ),
    "the lowest bit first": Fault(
        "periodic, mask table",
        "kernel/ready/release_mask.h",
        "hrlp_cpu_highest_bit(threads->ready[level])",
        "hrlp_cpu_highest_bit(threads->ready[level] & (0u - threads->ready[level]))",
    ),
    "displaced threads are as the others": Fault(
        "",
        BY_MASK,
        "(releaser->ready)->displaced != 0, 0",
        "(releaser->ready)->displaced == UINT32_MAX, 0",
    ),
    "a bit cannot yield": Fault(
        "",
        "kernel/core/core.h",
        "return hrli_ready_is_bit(&hrli_core.ready, node) ||\n           hrli",
        "return hrli",
    ),
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of what the suite is built from."""
    tree = tmp_path_factory.mktemp("tree")
    for part in TREE:
        shutil.copytree(ROOT / part, tree / part)
    tests, build = tree / "tests", tree / "build"
    _run("cmake", "-S", tests, "-B", build, "-G", "Ninja", "-DHRL_TESTS_SANITIZE=OFF")
    _run("cmake", "--build", build, "--target", SUITE, LEVELS)
    yield tree
    shutil.rmtree(tree)


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _passes(tree: Path, variant: str) -> bool:
    """Whether what is to find a fault finds none."""
    program = tree / "build" / (SUITE if variant else LEVELS)
    arguments = [variant, str(SYSTEMS)] if variant else []
    try:
        done = subprocess.run(
            [program, *arguments], capture_output=True, check=False, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return False
    assert done.returncode != 2 or not variant, f"there is no variant {variant!r}"
    return done.returncode == 0


@pytest.mark.parametrize("name", FAULTS)
def test_there_is_such_a_line(name: str) -> None:
    fault = FAULTS[name]
    assert fault.right != fault.wrong
    count = (ROOT / fault.file).read_text(encoding="utf-8").count(fault.right)
    assert count == 1, f"{fault.file} has changed: say anew how to break it"


@pytest.mark.soak
@pytest.mark.xdist_group("release-faults")
@pytest.mark.parametrize("variant", sorted({fault.variant for fault in FAULTS.values()}))
def test_the_kernel_passes(variant: str, tree: Path) -> None:
    assert _passes(tree, variant)


@pytest.mark.soak
@pytest.mark.xdist_group("release-faults")
@pytest.mark.parametrize("name", FAULTS)
def test_the_suite_finds(name: str, tree: Path) -> None:
    fault = FAULTS[name]
    source = tree / fault.file
    text = source.read_text()
    source.write_text(text.replace(fault.right, fault.wrong))
    try:
        target = SUITE if fault.variant else LEVELS
        _run("cmake", "--build", tree / "build", "--target", target)
        assert not _passes(tree, fault.variant)
    finally:
        source.write_text(text)
