// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
'use strict';

/*
 * What the machine does, as records of three words of 32 bits for watcher.c. The first word says what it is by its
 * lowest bits:
 *
 *   address, cycles, -     (even) the instruction at this address, and what it takes; its accesses follow
 *   LOAD, address, -
 *   STORE, address, word   the aligned word, as it is now
 *   ENTRY, cycles, -       an interrupt is taken; the next instruction is its handler's first
 *   SLEEP, cycles, -       the processor waits
 *   ALARM + 16 n, count, cycle
 *                          alarm n has fired, when the timer was at that count; the cycle's lower 32 bits
 *   TURNS + 16 n + 65536 c, address, turns
 *                          so many turns of the loop at this address, of n instructions and c cycles each: an
 *                          instruction takes one, but the last
 */

const fs = require('node:fs');

const LOAD = 1;
const STORE = 3;
const ENTRY = 5;
const SLEEP = 7;
const TURNS = 9;
const ALARM = 11;
const WORDS = 3;
const CYCLE_NS = 8;
const RAM = 0x20000000;
const RAM_BYTES = 264 * 1024;

class Steps {
  constructor(machine, file) {
    this.file = file;
    this.words = new Uint32Array(WORDS * 4096);
    this.used = 0;
    this.last = 0; // where the cycles of the instruction stand that is executed
    this.hear(machine.core, machine.rp2040);
    machine.entered = (cycles) => this.add(ENTRY, cycles, 0);
    machine.fired = (alarm, count, ns) => this.add(ALARM + 16 * alarm, count, Math.floor(ns / CYCLE_NS));
  }

  add(kind, first, second) {
    if (this.used === this.words.length) {
      this.flush();
    }
    this.words[this.used] = kind;
    this.words[this.used + 1] = first;
    this.words[this.used + 2] = second;
    this.used += WORDS;
  }

  flush() {
    const bytes = Buffer.from(this.words.buffer, 0, 4 * this.used);
    for (let at = 0; at < bytes.length; ) {
      at += fs.writeSync(this.file, bytes, at);
    }
    this.used = 0;
  }

  begins(pc) {
    if (this.used + 64 * WORDS > this.words.length) {
      this.flush(); // so that the record below is still here when the instruction ends
    }
    this.last = this.used + 1;
    this.add(pc, 0, 0);
  }

  ends(cycles) {
    this.words[this.last] = cycles;
  }

  sleeps(cycles) {
    this.add(SLEEP, cycles, 0);
  }

  turns(pc, turns, loop) {
    this.add(TURNS + 16 * loop.code.length + 65536 * loop.cycles, pc, turns);
  }

  hear(core, rp2040) {
    for (const bits of [8, 16, 32]) {
      const [read, write] = [`readUint${bits}`, `writeUint${bits}`];
      core[read] = (address) => {
        const from = address >>> 0;
        // Not the instruction itself.
        if (bits !== 16 || (from !== core.PC && from !== core.PC + 2)) {
          this.add(LOAD, from, 0);
        }
        return rp2040[read](address);
      };
      core[write] = (address, value) => {
        rp2040[write](address, value);
        const at = address >>> 0;
        if (at >= RAM && at < RAM + RAM_BYTES) {
          this.add(STORE, at, rp2040.sramView.getUint32((at & ~3) - RAM, true));
        }
      };
    }
  }
}

module.exports = { Steps };
