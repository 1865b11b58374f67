// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
'use strict';

/*
 * One core of an RP2040, by rp2040js with our mends (mends.cjs), as the boot ROM leaves it: the second stage of the boot
 * lies in RAM and is to be executed, if its checksum is right. Time is cycles of the processor, at 125 MHz from the first
 * on; runs are the same, bit by bit, whenever they are repeated.
 */

const fs = require('node:fs');
const mends = require('./mends.cjs');

const CYCLE_NS = 8;
const FLASH = 0x10000000;
const RAM = 0x20000000;
const BOOT_BYTES = 256;
const BOOT_AT = RAM + 0x41f00; // where the boot ROM puts it
const BREAKPOINT = 0xbe; // BKPT, the upper byte
const SEMIHOSTING = 0xab;
const SYS_WRITE0 = 0x04;
const SYS_EXIT_EXTENDED = 0x20;

/*
 * Loops of which many turns are executed as one, as nothing but time goes on in them: ports/cortex-m/idle.S, and work.S,
 * which counts register 0 down.
 */
const IDLE = { code: [...Array(15).fill(0x46c0), 0xe7ef], cycles: 17, counts: false };
const WORK = { code: [0x3801, 0xd1fd], cycles: 3, counts: true };
const MOST_TURNS = 1 << 20;

class Wrong extends Error {}

/* The loaded segments of an ELF file: where they lie in flash, and their bytes. */
function segments(elf) {
  if (elf.length < 52 || elf.readUInt32LE(0) !== 0x464c457f || elf[4] !== 1) {
    throw new Wrong('is no ELF file of 32 bits');
  }
  const [offset, size, count] = [elf.readUInt32LE(28), elf.readUInt16LE(42), elf.readUInt16LE(44)];
  const found = [];
  for (let i = 0; i < count; i++) {
    const at = offset + i * size;
    const [type, from, , address, length] = [0, 4, 8, 12, 16].map((n) => elf.readUInt32LE(at + n));
    if (type === 1 && length > 0) {
      found.push({ address, bytes: elf.subarray(from, from + length) });
    }
  }
  return found;
}

/* CRC-32 as the boot ROM has it: from all ones, not reflected. */
function checksum(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let i = 0; i < 8; i++) {
      crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
    }
  }
  return crc >>> 0;
}

function load(rp2040, path) {
  for (const { address, bytes } of segments(fs.readFileSync(path))) {
    const at = address - FLASH;
    if (at < 0 || at + bytes.length > rp2040.flash.length) {
      throw new Wrong(`has bytes for 0x${address.toString(16)}, which is not in flash`);
    }
    rp2040.flash.set(bytes, at);
  }
  const boot = rp2040.flash.subarray(0, BOOT_BYTES);
  const said = rp2040.flashView.getUint32(BOOT_BYTES - 4, true);
  const right = checksum(boot.subarray(0, BOOT_BYTES - 4));
  if (said !== right) {
    throw new Wrong(
      `does not boot: the checksum of its first ${BOOT_BYTES} bytes is 0x${said.toString(16)}, not ` +
        `0x${right.toString(16)}`,
    );
  }
  rp2040.sram.set(boot, BOOT_AT - RAM);
  rp2040.core.PC = BOOT_AT;
}

/* Where `loop` is in flash, or -1. */
function addressOf(flash, loop) {
  const all = new Uint16Array(flash.buffer, 0, flash.length / 2);
  const [first] = loop.code;
  for (let at = all.indexOf(first); at >= 0; at = all.indexOf(first, at + 1)) {
    if (loop.code.every((one, i) => all[at + i] === one)) {
      return FLASH + 2 * at;
    }
  }
  return -1;
}

class Machine {
  /*
   * `library` is the package rp2040js; `print` is given what the console says. With `eachInstruction` no turns of a loop
   * are executed as one.
   */
  constructor(library, path, print, eachInstruction = false) {
    this.rp2040 = new library.RP2040();
    this.core = this.rp2040.core;
    this.clock = this.rp2040.clock;
    this.print = print;
    this.status = null; // a number: it is over
    this.cycles = 0;
    this.entered = () => {}; // an observer: an interrupt has, in so many cycles
    this.fired = () => {}; // one more: alarm number, at which count, how many ns after the start
    mends.mendFaults(this.rp2040);
    mends.mendLines(this.core, this.rp2040.ppb);
    mends.mendEntries(this.core, (number, cycles) => {
      this.entered(cycles);
      this.pass(cycles);
    });
    mends.mendTimer(this.rp2040, (alarm, count) => this.fired(alarm, count, this.clock.nanos));
    mends.mendRegisters(this.rp2040);
    this.rp2040.onBreak = () => this.breakpoint();
    this.rp2040.uart[0].onByte = (byte) => this.print(Buffer.from([byte]));
    load(this.rp2040, path);
    this.idle = eachInstruction ? -1 : addressOf(this.rp2040.flash, IDLE);
    this.work = eachInstruction ? -1 : addressOf(this.rp2040.flash, WORK);
  }

  end(status, why) {
    if (why) {
      fs.writeSync(2, `horolog-rp2040: ${why}\n`);
    }
    this.status = status;
  }

  pass(cycles) {
    this.cycles += cycles;
    this.clock.tick(cycles * CYCLE_NS);
  }

  /* The console and the end, as a debugger would serve them. Any other breakpoint is a fault without one. */
  breakpoint() {
    const { core, rp2040 } = this;
    const [operation, argument] = core.registers;
    if (rp2040.readUint16(core.PC - 2) !== ((BREAKPOINT << 8) | SEMIHOSTING)) {
      throw new mends.Fault('a breakpoint or an undefined instruction');
    }
    if (operation === SYS_WRITE0) {
      const bytes = [];
      for (let at = argument, byte; (byte = rp2040.readUint8(at)) !== 0; at++) {
        bytes.push(byte);
      }
      this.print(Buffer.from(bytes));
    } else if (operation === SYS_EXIT_EXTENDED) {
      this.end(rp2040.readUint32(argument + 4) & 0xff);
    } else {
      throw new mends.Fault(`semihosting call ${operation}`);
    }
  }

  /* Takes the interrupt that is due, if one is. */
  interrupt() {
    const { core } = this;
    while (core.interruptsUpdated && core.checkForInterrupts()) {
      core.waiting = false;
    }
  }

  /* Executes one instruction. Returns its cycles. */
  execute() {
    const cycles = mends.stepWithFaults(this.core, (why) => this.end(126, why));
    this.pass(cycles);
    return cycles;
  }

  /* The loop whose first instruction comes, or null. */
  loop() {
    const pc = this.core.PC;
    return pc === this.idle ? IDLE : pc === this.work ? WORK : null;
  }

  /* Executes as many whole turns of `loop` as pass before anything can happen. Returns how many, which may be none. */
  turn(loop) {
    const { clock, core } = this;
    const next = clock.nextAlarm;
    let turns = MOST_TURNS;
    if (next !== null) {
      turns = Math.min(turns, Math.floor((next.nanos - clock.nanos) / (loop.cycles * CYCLE_NS)));
    }
    if (loop.counts) {
      turns = Math.min(turns, (core.registers[0] - 1) >>> 0); // the last one goes on behind it
      core.registers[0] -= turns;
    }
    if (turns > 0) {
      this.pass(turns * loop.cycles);
    }
    return turns;
  }

  /* Cycles for which the processor sleeps: until the next alarm. */
  sleep() {
    const next = this.clock.nextAlarm;
    const cycles = next === null ? MOST_TURNS : Math.ceil((next.nanos - this.clock.nanos) / CYCLE_NS);
    this.pass(cycles);
    return cycles;
  }
}

module.exports = { Machine, Wrong };
