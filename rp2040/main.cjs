// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
'use strict';

/*
 * The simulator of the board pico, by rp2040js: loads a program, runs it to its end, and ends with its status. Its console
 * (UART0, and semihosting's) is standard output.
 *
 *   node main.cjs --library FOLDER --elf FILE [--cycles N] [--steps FD] [--each-instruction]
 *
 *   --library FOLDER    where rp2040js is
 *   --elf FILE          the program
 *   --cycles N          gives up then
 *   --steps FD          what it does, for watcher.c, which describes it, into this file, which is open
 *   --each-instruction  turns of the idle loop and of hrl_work are executed one by one: the same, but slow
 *
 * Exit status: the program's own; 124 if --cycles were over; 125 if the arguments or a file are wrong; 126 if the
 * program has done what it cannot.
 */

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { Machine, Wrong } = require('./machine.cjs');
const { Steps } = require('./steps.cjs');

const LIMIT = 124;
const WRONG = 125;

function options() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: { library: text, elf: text, cycles: text, steps: text, 'each-instruction': { type: 'boolean' } },
  });
  for (const name of ['library', 'elf']) {
    if (values[name] === undefined) {
      throw new Wrong(`--${name} is needed`);
    }
  }
  for (const name of ['cycles', 'steps']) {
    if (values[name] !== undefined && !/^[0-9]+$/.test(values[name])) {
      throw new Wrong(`--${name} ${values[name]} is no number`);
    }
  }
  return values;
}

/* The program alone. */
function run(machine, most) {
  const { core } = machine;
  while (machine.status === null && machine.cycles < most) {
    machine.interrupt();
    const loop = machine.loop();
    if (core.waiting) {
      machine.sleep();
    } else if (loop === null || machine.turn(loop) === 0) {
      machine.execute();
    }
  }
}

/* The same, and what it does. */
function runWatched(machine, most, steps) {
  const { core } = machine;
  while (machine.status === null && machine.cycles < most) {
    machine.interrupt();
    const loop = machine.loop();
    if (core.waiting) {
      steps.sleeps(machine.sleep());
      continue;
    }
    const turns = loop === null ? 0 : machine.turn(loop);
    if (turns > 0) {
      steps.turns(core.PC, turns, loop);
    } else {
      steps.begins(core.PC);
      steps.ends(machine.execute());
    }
  }
  steps.flush();
}

function main() {
  const given = options();
  const most = given.cycles === undefined ? Infinity : Number(given.cycles);
  const library = require(path.resolve(given.library));
  const machine = new Machine(library, given.elf, (bytes) => fs.writeSync(1, bytes),
    given['each-instruction']);
  if (given.steps === undefined) {
    run(machine, most);
  } else {
    runWatched(machine, most, new Steps(machine, Number(given.steps)));
  }
  if (machine.status === null) {
    machine.end(LIMIT, `not finished after ${given.cycles} cycles`);
  }
  process.exitCode = machine.status;
}

try {
  main();
} catch (error) {
  fs.writeSync(2, `horolog-rp2040: ${error instanceof Wrong ? error.message : error.stack}\n`);
  process.exitCode = WRONG;
}
