// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: 0BSD

// The timeline: which task ran when, with releases, deadlines and interrupts. It reads the page's data block;
// horolog/report/packing.py describes its packed runs. Times are nanoseconds since t = 0. This part reads a run; the
// parts behind it paint it, say what is under the pointer, and take what hands do.
const root = document.getElementById("timeline");
const data = JSON.parse(document.getElementById("timeline-data").textContent);
const canvas = root.querySelector("canvas.main");
const map = root.querySelector("canvas.map");
const tip = root.querySelector(".tip");
const range = root.querySelector(".range");
const spoken = root.querySelector("[aria-live]");
const places = root.querySelector("select");
const wanted = root.querySelector("input");
const measured = root.querySelector(".measured");
const printed = root.querySelector(".printed");

const AXIS = 26, CELL_ROW = 16, CPU_ROW = 26, ROW = 19, GAP = 6, MAP = 44, RIGHT = 10;
const BRIM = 5; // half an arrowhead: what is at an edge of the plot may reach so far over it
const MOST_ROWS = 31; // more scroll inside the picture
const PAPER = 720; // pixels: the width of a printed page
const SHORTEST = 500; // ns: the shortest span that can be shown

// `points`: [offset, deadline] of each release in a period, of a task of a table that has no even steps.
const tasks = data.tasks.map(([name, period, offset, deadline, row, level, points], index) => (
  { name, period, points: points ?? [[offset, deadline]], row, level, index }));

function releaseOf(task, number) {
  const count = task.points.length, round = Math.floor(number / count);
  return round * task.period + task.points[number - round * count][0];
}

function deadlineOf(task, release) {
  const within = (release - task.points[0][0]) % task.period;
  return task.points.findLast(([offset]) => offset - task.points[0][0] <= within + 0.5)[1];
}

// ---- Reading a run ----------------------------------------------------------------------------

// `tail`: of a side, how long the kernel runs behind a body until it idles (horolog/report/kernel_time.py), or null.
async function unpack({ run: text, tail }) {
  const deflated = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let at = 0;
  const next = () => {
    let value = 0, scale = 1, byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * scale; // no shifts: values pass 32 bits
      scale *= 128;
    } while (byte & 128);
    return value;
  };

  const jobCount = next();
  const jobs = { task: new Uint32Array(jobCount), number: new Float64Array(jobCount), release: new Float64Array(jobCount),
    start: new Float64Array(jobCount), end: new Float64Array(jobCount), length: jobCount };
  for (let j = 0, time = 0; j < jobCount; j++) {
    const task = tasks[jobs.task[j] = next()];
    jobs.number[j] = next();
    jobs.release[j] = releaseOf(task, jobs.number[j]);
    jobs.start[j] = time += next();
    const lasted = next();
    jobs.end[j] = lasted ? time + lasted - 1 : Infinity;
  }
  const waiting = Array.from({ length: next() }, () => {
    const task = tasks[next()], number = next();
    return { task, number, release: releaseOf(task, number) };
  });
  const count = next();
  const segments = { job: new Uint32Array(count), from: new Float64Array(count), to: new Float64Array(count), length: count };
  for (let s = 0, job = 0, time = 0; s < count; s++) {
    const zigzag = next();
    segments.job[s] = job += zigzag & 1 ? -(zigzag + 1) / 2 : zigzag / 2;
    segments.from[s] = time += next();
    segments.to[s] = time += next();
  }
  const calls = data.cells.map(() => []);
  for (let n = next(), time = 0; n > 0; n--) {
    const cell = next();
    time += next();
    (calls[cell] ??= []).push(time);
  }
  return { jobs, waiting, segments, calls, kernel: kernelOf(segments, calls, tail), rows: {} };
}

// When the kernel ran: what is no body's, but for what the processor idles behind a tail. `mean` says where it is one.
function kernelOf(segments, calls, tail) {
  const found = { from: [], to: [], mean: [], length: 0 };
  if (tail === null) return found;
  const add = (from, to, mean) => {
    if (to <= from) return;
    found.from.push(from);
    found.to.push(to);
    found.mean.push(mean);
    found.length++;
  };
  const at = Float64Array.from(calls.flat()).sort();
  let last = 0, began = false;
  for (let s = 0, call = 0; s <= segments.length; s++) {
    const isEnd = s === segments.length, begin = isEnd ? Math.max(last, data.window) : segments.from[s];
    for (; call < at.length && at[call] < begin; call++) {
      if (at[call] < last) continue;
      if (began) add(last, Math.min(at[call], last + tail), true);
      [last, began] = [at[call], true];
    }
    if (began) add(last, isEnd ? Math.min(begin, last + tail) : begin, isEnd);
    if (!isEnd) [last, began] = [Math.max(last, segments.to[s]), true];
  }
  return found;
}

// Segments and jobs of each row, by start; made when first shown.
function rowsOf(run, mode) {
  if (run.rows[mode]) return run.rows[mode];
  const order = [...tasks].sort((a, b) => b.level - a.level || a.index - b.index);
  const rows = mode === "levels"
    ? data.levels.map(([label, note, level]) => ({ label, note, level, tasks: [], segments: [], jobs: [], waiting: [] }))
    : order.map((task) => ({ label: task.name, note: timeText(task.period), level: task.level, tasks: [], segments: [], jobs: [], waiting: [] }));
  const place = new Uint32Array(tasks.length);
  if (mode === "levels") for (const task of tasks) place[task.index] = task.row;
  else order.forEach((task, row) => { place[task.index] = row; });
  for (const task of tasks) rows[place[task.index]].tasks.push(task);
  const { jobs, segments } = run;
  for (let s = 0; s < segments.length; s++) rows[place[jobs.task[segments.job[s]]]].segments.push(s);
  for (let j = 0; j < jobs.length; j++) rows[place[jobs.task[j]]].jobs.push(j);
  for (const job of run.waiting) rows[place[job.task.index]].waiting.push(job);
  for (const row of rows) {
    row.longest = row.jobs.reduce((most, j) => Math.max(most, finite(jobs.end[j]) - jobs.release[j]), 0);
    const distinct = new Map(row.tasks.flatMap(({ period, points }) => (
      points.map(([offset]) => [`${period} ${offset}`, { period, offset }]))));
    row.streams = [...distinct.values()];
    const due = new Map(row.tasks.flatMap(({ period, points }) => (
      points.map(([offset, deadline]) => [`${period} ${offset + deadline}`, { period, offset: offset + deadline }]))));
    row.deadlines = [...due.values()];
  }
  return run.rows[mode] = rows;
}

const finite = (time) => Math.min(time, data.window);

// The index of the first element of `list` with a key of at least `value`.
function lower(list, key, value) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (key(list[middle]) < value) low = middle + 1; else high = middle;
  }
  return low;
}

// The first of `of` (segments, or the kernel's stretches; `pick` chooses `total` of them) that ends after `time`.
function firstEnding(of, time, total = of.length, pick = (n) => n) {
  let low = 0, high = total;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (of.to[pick(middle)] <= time) low = middle + 1; else high = middle;
  }
  return low;
}

// ---- Texts ------------------------------------------------------------------------------------

function timeText(ns) {
  if (ns === 0) return "0";
  const [factor, unit] = Math.abs(ns) >= 1e9 ? [1e9, "s"] : Math.abs(ns) >= 1e6 ? [1e6, "ms"] : Math.abs(ns) >= 1e3 ? [1e3, "µs"] : [1, "ns"];
  return `${parseFloat((ns / factor).toPrecision(4))} ${unit}`;
}
// An instant: as many decimals as a step of `step` needs.
function instantText(ns, step) {
  const [factor, unit] = step >= 1e8 ? [1e9, "s"] : step >= 1e3 || ns >= 1e6 ? [1e6, "ms"] : [1e3, "µs"];
  const decimals = Math.max(0, Math.ceil(-Math.log10(step / factor) - 1e-9));
  return `${(ns / factor).toFixed(decimals)} ${unit}`;
}
// A measured time: all digits that a run has.
function exactText(ns) {
  const [factor, unit] = Math.abs(ns) >= 1e6 ? [1e6, "ms"] : Math.abs(ns) >= 1e3 ? [1e3, "µs"] : [1, "ns"];
  return `${parseFloat((ns / factor).toFixed(factor === 1e6 ? 6 : 3))} ${unit}`;
}
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((step) => step * power >= least) ?? 10);
}

