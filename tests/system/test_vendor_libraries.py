# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The systems of docs/guide/vendor-libraries.md, where variables of the environment name checkouts."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from tests.conftest import NO_VENDOR
from tests.system.support import ROOT, horolog

from horolog.model import Exit
from horolog.programs import call
from horolog.run.rp2040 import rp2040_command

pytestmark = [pytest.mark.emulator]

PAGE = ROOT / "docs" / "guide" / "vendor-libraries.md"
FILE = re.compile(r"`([\w./]+)`[^`]*:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PICO_FILES = {"system.toml", "tasks.c", "conf/pico/version.h", "conf/pico/config_autogen.h"}
NRFX_FILES = {"system.toml", "tasks.c", "conf/nrfx_config.h", "conf/nrfx_glue.h"}

RANDOM = """#include <nrfx_rng.h>
#include <hal/nrf_gpio.h>
#include <hrl/console.h>
#include <stdlib.h>
void board_start(void);
void blink(void);
void say(void);
static volatile unsigned drawn;
static void on_number(uint8_t number)
{
    (void)number;
    drawn++;
    nrfx_rng_stop();
}
void board_start(void)
{
    static const nrfx_rng_config_t config = NRFX_RNG_DEFAULT_CONFIG;
    SystemInit();
    nrf_gpio_cfg_output(13);
    (void)nrfx_rng_init(&config, on_number);
}
void blink(void)
{
    nrf_gpio_pin_toggle(13);
    nrfx_rng_start();
}
void say(void)
{
    static unsigned jobs;
    if (++jobs == 5) {
        hrl_console_print(drawn == 5 && nrf_gpio_pin_out_read(13) ? "five\\n" : "wrong\\n");
        _Exit(7);
    }
}
"""
"""For nRF51: numbers come by interrupts, one a job of blink; the fifth job of say ends the program."""
NRF51 = (
    ("nrf52840dk", "microbit"),
    ("NRF52840_XXAA", 'NRF51", "NRF51822_XXAA'),
    ("system_nrf52840.c", "system_nrf51.c"),
    ("nrfx_gpiote.c", "nrfx_rng.c"),
    ('"nrfx/drivers/src/nrfx_uarte.c",', ""),
    ('"nrfx/helpers/nrfx_flag32_allocator.c", ', ""),
    ("NRFX_GPIOTE_ENABLED", "NRFX_RNG_ENABLED"),
    ("PRIORITY 6", "PRIORITY 2"),
    ("nrfx_gpiote_0_irq_handler GPIOTE_Handler", "nrfx_rng_irq_handler IRQ13_Handler"),
)


def files_of(chapter: str) -> dict[str, str]:
    """The files of `chapter` of the page, by name."""
    text = PAGE.read_text(encoding="utf-8").split(f"## {chapter}\n")[1].split("\n## ")[0]
    return dict(FILE.findall(text))


def lay_out(folder: Path, files: dict[str, str], **checkouts: str) -> Path:
    """Writes `files` to `folder`, with links to what `checkouts`, variables, name; or skips, loudly."""
    missing = [name for name in checkouts.values() if not os.environ.get(name)]
    if missing:
        pytest.skip(f"{NO_VENDOR}: {' and '.join(missing)} not set")
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    for name, variable in checkouts.items():
        (folder / name).symlink_to(Path(os.environ[variable]).resolve())
    return folder / "system.toml"


def test_the_page_has_the_files() -> None:
    assert files_of("pico-sdk").keys() == PICO_FILES
    assert files_of("nrfx").keys() == NRFX_FILES


@pytest.mark.rp2040js
def test_pico_sdk_drives_pins_and_a_serial_line(tmp_path: Path) -> None:
    path = lay_out(tmp_path, files_of("pico-sdk"), **{"pico-sdk": "PICO_SDK_PATH"})
    said = horolog("run", path, "--json", "--out", tmp_path / "build")
    assert said.code == Exit.OK, said.err
    side = json.loads(said.out)["horolog"]
    assert (side["jobs"], side["deadline_misses"], side["overruns"]) == (20, 0, 0)
    (elf,) = tmp_path.rglob("horolog.elf")
    command = [*rp2040_command(elf), "--cycles", "50000000"]  # 400 ms
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout) == (124, "on\noff\n" * 2)


def test_nrfx_has_the_vectors_of_its_lines(tmp_path: Path) -> None:
    path = lay_out(tmp_path, files_of("nrfx"), nrfx="NRFX_PATH", cmsis="CMSIS_PATH")
    said = horolog("build", path, "--out", tmp_path / "build")
    assert said.code == Exit.OK, said.err
    (elf,) = tmp_path.rglob("horolog.elf")
    symbols = call(["arm-none-eabi-nm", str(elf)], seconds=60).output
    for name in ("GPIOTE_Handler", "UARTE0_UART0_Handler"):
        assert re.search(rf" T {name}$", symbols, re.MULTILINE)  # not the weak one


def test_nrfx_runs_on_nrf51(tmp_path: Path) -> None:
    files = files_of("nrfx")
    for old, new in NRF51:
        assert any(old in content for content in files.values())
        files = {name: content.replace(old, new) for name, content in files.items()}
    path = lay_out(tmp_path, {**files, "tasks.c": RANDOM}, nrfx="NRFX_PATH", cmsis="CMSIS_PATH")
    said = horolog("run", path, "--out", tmp_path / "build")
    assert said.code == Exit.TARGET_FAILED
    assert "stopped by itself with status 7" in said.err
    assert "five" in said.err
