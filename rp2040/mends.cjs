// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
'use strict';

/*
 * What rp2040js 1.4.1 does otherwise than the RP2040 (Datasheet, Armv6-M Architecture Reference Manual, Cortex-M0+
 * Technical Reference Manual), put right from outside, by replacing its methods. Each function says what was wrong.
 */

const NANOSECONDS = 1000; // of a count of TIMER
const ENTRY_CYCLES = 15; // from an interrupt to its handler's first instruction, without wait states
const FIRST_LINE = 16;
const HARD_FAULT = 3;
const RESETS = 0x4000c;
const TIMER = 0x40054;
const RESET_TIMER = 1 << 21;

/*
 * An interrupt that is taken takes no time there. `entered` is told of each, and of the cycles.
 */
function mendEntries(core, entered) {
  const enter = core.exceptionEntry.bind(core);
  core.exceptionEntry = (number) => {
    enter(number);
    core.PC &= ~1;
    entered(number, ENTRY_CYCLES);
  };
}

/*
 * The pending state of a line follows its level there, and one of the first 26 lines that software pends stays pending
 * for ever. A controller's line becomes pending when its level rises, or when its handler ends and it is up; it stays
 * so until it is taken or cleared (Armv6-M, B3.4.1).
 */
function mendLines(core, ppb) {
  let levels = 0;
  let active = 0;
  const pend = (bits) => {
    core.pendingInterrupts |= bits;
    core.interruptsUpdated = true;
  };

  core.setInterrupt = (line, up) => {
    const bit = 1 << line;
    if (up && !(levels & bit) && !(active & bit)) {
      pend(bit);
    }
    levels = up ? levels | bit : levels & ~bit;
    if (core.waiting && core.checkForInterrupts()) {
      core.waiting = false;
    }
  };

  const enter = core.exceptionEntry.bind(core);
  core.exceptionEntry = (number) => {
    if (number >= FIRST_LINE) {
      const bit = 1 << (number - FIRST_LINE);
      core.pendingInterrupts &= ~bit;
      active |= bit;
    }
    enter(number);
  };

  const leave = core.exceptionReturn.bind(core);
  core.exceptionReturn = (value) => {
    const number = core.IPSR;
    leave(value);
    if (number >= FIRST_LINE) {
      const bit = 1 << (number - FIRST_LINE);
      active &= ~bit;
      if (levels & bit) {
        pend(bit);
      }
    }
  };

  const write = ppb.writeUint32.bind(ppb);
  ppb.writeUint32 = (offset, value) => {
    if (offset === 0x280) {
      core.pendingInterrupts &= ~value | (levels & ~active);
    } else {
      write(offset, value);
    }
  };
}

/*
 * TIMER counts from the simulator's start for ever, and an alarm comes up to a count early: it counts from the present
 * fraction of one. It is set by TIMELW and TIMEHW, and a reset sets it to 0 and disarms its alarms. Its counts begin
 * anew with either. `fired` is told of each alarm that fires, and of the count at which it does.
 */
function mendTimer(rp2040, fired) {
  const timer = rp2040.peripherals[TIMER];
  const clock = rp2040.clock;
  const own = {
    zero: 0, // when it was 0
    get nanos() {
      return clock.nanos - this.zero;
    },
  };
  let low = 0;
  let inReset = false;
  timer.clock = own;

  const arm = (alarm, due) => {
    const counts = Math.floor(own.nanos / NANOSECONDS);
    const left = (due - counts) >>> 0 || 2 ** 32;
    alarm.armed = true;
    alarm.targetMicros = due >>> 0;
    alarm.clockAlarm.schedule((counts + left) * NANOSECONDS - own.nanos);
  };
  const set = (time) => {
    own.zero = clock.nanos - time * NANOSECONDS;
    for (const alarm of timer.alarms.filter((one) => one.armed)) {
      arm(alarm, alarm.targetMicros);
    }
  };

  const write = timer.writeUint32.bind(timer);
  timer.writeUint32 = (offset, value) => {
    if (offset >= 0x10 && offset <= 0x1c) {
      arm(timer.alarms[(offset - 0x10) / 4], value);
    } else if (offset === 0x04) {
      low = value >>> 0;
    } else if (offset === 0x00) {
      set((value >>> 0) * 2 ** 32 + low);
    } else {
      write(offset, value);
    }
  };
  const read = timer.readUint32.bind(timer);
  timer.readUint32 = (offset) =>
    offset === 0x24 || offset === 0x28
      ? (offset === 0x24 ? Math.floor(own.nanos / NANOSECONDS / 2 ** 32)
                         : Math.floor(own.nanos / NANOSECONDS) % 2 ** 32)
      : read(offset);

  const fire = timer.fireAlarm.bind(timer);
  timer.fireAlarm = (alarm) => {
    fired(alarm, Math.floor(own.nanos / NANOSECONDS) % 2 ** 32);
    fire(alarm);
  };

  const resets = rp2040.peripherals[RESETS];
  const writeResets = resets.writeUint32.bind(resets);
  resets.writeUint32 = (offset, value) => {
    writeResets(offset, value);
    const resetting = (resets.reset & RESET_TIMER) !== 0;
    if (resetting || inReset) {
      timer.alarms.forEach((alarm) => timer.disarmAlarm(alarm));
      timer.intEnable = timer.intForce = timer.intRaw = 0;
      timer.checkInterrupts();
      set(0);
    }
    inReset = resetting;
  };
}

/*
 * UARTs and I2C controllers lack registers there that drivers write when they begin. They keep what is written, and read
 * as they do after a reset: [bits that are there, after a reset]. Nothing comes of it: a byte is sent at once, so that no
 * FIFO has a level, and nothing but DMA asks for the others.
 */
const UART_KEEPS = {
  0x04: [0, 0], // UARTRSR: errors of what was received, of which there are none
  0x20: [0xff, 0], // UARTILPR
  0x34: [0x3f, 0x12], // UARTIFLS
  0x48: [0x7, 0], // UARTDMACR
};
const I2C_KEEPS = {
  0x7c: [0xffffff, 1], // IC_SDA_HOLD, which is there, and refuses all but 1
  0x88: [0x3, 0], // IC_DMA_CR
  0x8c: [0xf, 0], // IC_DMA_TDLR
  0x90: [0xf, 0], // IC_DMA_RDLR
  0x94: [0xff, 0x64], // IC_SDA_SETUP
};

function keep(peripheral, registers) {
  const kept = new Map(Object.entries(registers).map(([at, [, value]]) => [Number(at), value]));
  const read = peripheral.readUint32.bind(peripheral);
  peripheral.readUint32 = (offset) => kept.get(offset) ?? read(offset);
  const write = peripheral.writeUint32.bind(peripheral);
  peripheral.writeUint32 = (offset, value) => {
    if (kept.has(offset)) {
      kept.set(offset, value & registers[offset][0]);
    } else {
      write(offset, value);
    }
  };
}

function mendRegisters(rp2040) {
  rp2040.uart.forEach((uart) => keep(uart, UART_KEEPS));
  rp2040.i2c.forEach((i2c) => keep(i2c, I2C_KEEPS));
}

/*
 * What the processor cannot do is a line of text there. It is a hard fault, which finds the processor before the
 * instruction. `step` executes an instruction.
 */
class Fault extends Error {}

function mendFaults(rp2040) {
  const refuse = (component, message) => {
    throw new Fault(`${component}: ${message}`);
  };
  rp2040.logger = { debug() {}, info() {}, warn: refuse, error: refuse };
}

function stepWithFaults(core, stop) {
  const pc = core.PC;
  try {
    return core.executeInstruction();
  } catch (error) {
    if (!(error instanceof Fault)) {
      throw error;
    }
    if (core.IPSR === HARD_FAULT || core.IPSR === 2) {
      stop(`lockup: ${error.message}, at ${pc.toString(16)}`);
      return 1;
    }
    core.PC = pc;
    core.exceptionEntry(HARD_FAULT);
    return 1;
  }
}

module.exports = { mendEntries, mendLines, mendTimer, mendRegisters, mendFaults, stepWithFaults, Fault };
