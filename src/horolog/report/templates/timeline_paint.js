// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: 0BSD

// ---- State and geometry -----------------------------------------------------------------------

const state = { side: 0, mode: "levels", from: data.view[0], to: data.view[1], scroll: 0, pointer: null,
  cursor: null, mark: null, found: null, paper: false };
const runs = []; // unpacked, by side
let colours, width = 0, height = 0, gutter = 0, shownRows = 0, queued = false;

const run = () => runs[state.side];
// The runs with a lane of their own: of a system on several cores those of all cores.
const lanes = () => data.lanes ? data.sides.map((_, side) => side) : [state.side];
const shownCells = () => data.cells.map((name, index) => ({ name, index })).filter(({ index }) => run().calls[index].length);
const span = () => state.to - state.from;
const plotWidth = () => width - gutter - RIGHT;
const x = (time) => gutter + (time - state.from) / span() * plotWidth();
const timeAt = (left) => state.from + (left - gutter) / plotWidth() * span();

function layout() {
  const cells = shownCells().length;
  const cpuTop = AXIS + cells * CELL_ROW + GAP;
  return { cellsTop: AXIS, cpuTop, rowsTop: cpuTop + lanes().length * CPU_ROW + GAP };
}

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  colours = Object.fromEntries(["paper", "panel", "ink", "dim", "line", "faint", "ours", "ours-soft", "kernel", "bad"].map((name) => [name, value(`--${name}`)]));
  const most = Math.max(1, data.levels.length - 1);
  const light = parseFloat(value("--run-light")), chroma = parseFloat(value("--run-chroma"));
  // The most urgent level is teal; the least urgent violet. Neighbours alternate in lightness.
  colours.levels = data.levels.map((_, row) => {
    const hue = 175 + 115 * row / most;
    return { run: `hsl(${hue} ${chroma}% ${light + (row % 2 ? 5 : 0)}%)`, wait: `hsl(${hue} ${chroma}% ${light}% / .2)` };
  });
}

function resize() {
  width = state.paper ? PAPER : root.clientWidth;
  gutter = Math.min(150, Math.max(86, width * 0.14));
  const rows = state.mode === "levels" ? data.levels.length : tasks.length;
  shownRows = Math.min(rows, MOST_ROWS);
  height = layout().rowsTop + shownRows * ROW + 6;
  for (const [element, tall] of [[canvas, height], [map, MAP]]) {
    const scale = state.paper ? 2 : window.devicePixelRatio || 1;
    element.style.height = `${tall}px`;
    element.width = Math.round(width * scale);
    element.height = Math.round(tall * scale);
    element.getContext("2d").setTransform(scale, 0, 0, scale, 0, 0);
  }
  mapLoad = null;
  limit();
}

function limit() {
  const long = Math.min(data.window, Math.max(SHORTEST, span()));
  state.from = Math.max(0, Math.min(data.window - long, state.from));
  state.to = state.from + long;
  const rows = state.mode === "levels" ? data.levels.length : tasks.length;
  state.scroll = Math.max(0, Math.min((rows - shownRows) * ROW, state.scroll));
  draw();
}

function show(from, to) {
  state.from = from;
  state.to = to;
  limit();
}
function zoom(factor, around = (state.from + state.to) / 2) {
  const long = Math.min(data.window, Math.max(SHORTEST, span() * factor));
  const share = (around - state.from) / span();
  show(around - share * long, around - share * long + long);
}
const pan = (share) => show(state.from + share * span(), state.to + share * span());

// ---- Drawing ----------------------------------------------------------------------------------

function draw() {
  if (queued) return;
  queued = true;
  requestAnimationFrame(() => {
    queued = false;
    paintAll();
  });
}

function paintAll() {
  if (!run()) return;
  paint(canvas.getContext("2d"));
  paintMap(map.getContext("2d"));
  const step = niceStep(span() / 1000);
  range.textContent = `${instantText(state.from, step)} to ${instantText(state.to, step)}`;
  printed.textContent = `${data.sides[state.side].name}, ${range.textContent}. ${measureText()}`;
  measured.textContent = measureText();
}

function paint(pen) {
  const { cellsTop, cpuTop, rowsTop } = layout();
  pen.clearRect(0, 0, width, height);
  pen.fillStyle = colours.paper;
  pen.fillRect(0, 0, width, height);
  pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  pen.textBaseline = "middle";
  paintAxis(pen);

  shownCells().forEach(({ name, index }, row) => {
    const top = cellsTop + row * CELL_ROW;
    label(pen, name, "", top + CELL_ROW / 2);
    paintCalls(pen, run().calls[index], top);
  });

  lanes().forEach((side, lane) => {
    const top = cpuTop + lane * CPU_ROW;
    label(pen, data.lanes ? data.sides[side].name : "processor", "", top + CPU_ROW / 2);
    pen.fillStyle = colours.faint;
    pen.fillRect(gutter, top, plotWidth(), data.lanes ? CPU_ROW - 2 : CPU_ROW);
    clipped(pen, top, CPU_ROW, 0, () => paintProcessor(pen, top + 1, CPU_ROW - 2, runs[side]));
  });

  const rows = rowsOf(run(), state.mode);
  pen.save();
  pen.beginPath();
  pen.rect(0, rowsTop, width, shownRows * ROW);
  pen.clip();
  const firstRow = Math.floor(state.scroll / ROW);
  for (let at = firstRow; at < Math.min(rows.length, firstRow + shownRows + 1); at++) {
    const top = rowsTop + at * ROW - state.scroll;
    const row = rows[at];
    pen.fillStyle = colours.line;
    pen.fillRect(0, top + ROW - 1, width, 0.5);
    if (state.found !== null && row.tasks.includes(state.found)) {
      pen.fillStyle = colours["ours-soft"];
      pen.fillRect(0, top, width, ROW - 1);
    }
    label(pen, row.label, row.note, top + ROW / 2);
    clipped(pen, top, ROW, BRIM, () => {
      paintWaits(pen, row, top + 5, ROW - 8);
      paintSegments(pen, row, top + 5, ROW - 8);
      paintReleases(pen, row, top);
      paintDeadlines(pen, row, top);
    });
  }
  if (rows.length > shownRows) {
    const share = shownRows / rows.length, tall = height - rowsTop - 6;
    pen.fillStyle = colours.dim;
    pen.fillRect(width - 5, rowsTop + state.scroll / (rows.length * ROW) * tall, 3, Math.max(12, share * tall));
  }
  pen.restore();
  paintPointer(pen);
  paintMeasure(pen);
}

function clipped(pen, top, tall, brim, body) {
  pen.save();
  pen.beginPath();
  pen.rect(gutter - brim, top, plotWidth() + 2 * brim, tall);
  pen.clip();
  body();
  pen.restore();
}

function label(pen, text, note, middle) {
  pen.textAlign = "left";
  pen.fillStyle = colours.ink;
  const room = gutter - 18;
  const shown = fit(pen, text, room);
  pen.fillText(shown, 10, middle + 0.5);
  if (!note) return;
  const used = pen.measureText(shown).width, wanted = pen.measureText(note).width;
  if (used + wanted + 10 > room) return;
  pen.textAlign = "right";
  pen.fillStyle = colours.dim;
  pen.fillText(note, gutter - 8, middle + 0.5);
}

function fit(pen, text, room) {
  if (pen.measureText(text).width <= room) return text;
  let kept = text.length;
  while (kept > 0 && pen.measureText(`${text.slice(0, kept)}…`).width > room) kept--;
  return kept ? `${text.slice(0, kept)}…` : "";
}

function paintAxis(pen) {
  const step = niceStep(span() * 95 / plotWidth());
  pen.textAlign = "center";
  for (let n = Math.ceil(state.from / step); n * step <= state.to; n++) {
    const left = x(n * step);
    pen.fillStyle = colours.faint;
    pen.fillRect(left, AXIS - 5, 1, height - AXIS + 5);
    const text = n === 0 ? "0" : instantText(n * step, step);
    const half = pen.measureText(text).width / 2;
    pen.fillStyle = colours.dim;
    // The first and the last stay inside the picture.
    pen.fillText(text, Math.min(width - half - 4, Math.max(gutter + half - 2, left)), AXIS / 2 - 1);
  }
}

// Interrupts of one cell. Where they are closer than pixels, darkness says how many there are.
function paintCalls(pen, times, top) {
  const first = lower(times, (time) => time, state.from), last = lower(times, (time) => time, state.to);
  const dense = (last - first) / plotWidth();
  pen.fillStyle = colours.ink;
  pen.globalAlpha = dense > 0.5 ? Math.max(0.35, Math.min(1, dense / 2)) : 1;
  for (let n = first, before = -1; n < last; n++) {
    const left = Math.round(x(times[n]));
    if (left !== before) pen.fillRect(left, top + 3, 1, CELL_ROW - 5);
    before = left;
  }
  pen.globalAlpha = 1;
}

// The processor: bodies in the colours of their levels, the kernel in its own. What is narrower than a pixel adds up
// within its pixel, bodies at the bottom and the kernel on top, so that a picture of everything is still true.
function paintProcessor(pen, top, tall, of) {
  const columns = new Map();
  const scale = plotWidth() / span();
  const paintOne = (from, to, colour, part) => {
    const left = gutter + (from - state.from) * scale, wide = (to - from) * scale;
    if (wide >= 1) {
      pen.fillStyle = colour;
      pen.fillRect(left, top, wide, tall);
      return;
    }
    const here = Math.floor(left), column = columns.get(here) ?? { body: 0, kernel: 0, colour };
    column[part] += wide;
    if (part === "body") column.colour = colour;
    columns.set(here, column);
  };
  const { kernel, segments, jobs } = of;
  for (let n = firstEnding(kernel, state.from); n < kernel.length && kernel.from[n] < state.to; n++) {
    paintOne(kernel.from[n], kernel.to[n], colours.kernel, "kernel");
  }
  const names = [];
  for (let s = firstEnding(segments, state.from); s < segments.length && segments.from[s] < state.to; s++) {
    const task = tasks[jobs.task[segments.job[s]]];
    paintOne(segments.from[s], segments.to[s], colours.levels[task.row].run, "body");
    const wide = (segments.to[s] - segments.from[s]) * scale;
    if (wide > 24) names.push([task.name, gutter + (segments.from[s] - state.from) * scale, wide]);
  }
  for (const [left, { body, kernel: above, colour }] of columns) {
    const low = Math.min(1, body) * tall, high = Math.min(1 - low / tall, above) * tall;
    pen.fillStyle = colour;
    pen.fillRect(left, top + tall - low, 1, low);
    pen.fillStyle = colours.kernel;
    pen.fillRect(left, top + tall - low - high, 1, high);
  }
  for (const [text, left, wide] of names) name(pen, text, left, wide, top + tall / 2);
}

// Segments of `row`. What is narrower than a pixel adds up within its pixel and is drawn as pale as the pixel is empty.
function paintSegments(pen, row, top, tall) {
  const { segments, jobs } = run();
  const pick = (n) => row.segments[n], total = row.segments.length;
  const scale = plotWidth() / span();
  let column = -1, cover = 0, columnRow = 0;
  const flush = () => {
    if (cover > 0) {
      pen.globalAlpha = Math.min(1, 0.15 + 0.85 * cover);
      pen.fillStyle = colours.levels[columnRow].run;
      pen.fillRect(column, top, 1, tall);
      pen.globalAlpha = 1;
    }
    cover = 0;
  };
  for (let n = firstEnding(segments, state.from, total, pick); n < total; n++) {
    const s = pick(n), from = segments.from[s];
    if (from >= state.to) break;
    const task = tasks[jobs.task[segments.job[s]]];
    const left = gutter + (from - state.from) * scale, wide = (segments.to[s] - from) * scale;
    if (wide >= 1) {
      flush();
      pen.fillStyle = colours.levels[task.row].run;
      pen.fillRect(left, top, wide, tall);
      if (wide > 24 && state.mode === "levels") name(pen, task.name, left, wide, top + tall / 2);
    } else {
      const here = Math.floor(left);
      if (here !== column) { flush(); column = here; }
      cover += wide;
      columnRow = task.row;
    }
  }
  flush();
}

function name(pen, text, left, wide, middle) {
  const start = Math.max(left, gutter), room = Math.min(left + wide, width - RIGHT) - start - 6;
  const size = pen.font;
  pen.font = size.replace("12px", "11px");
  if (pen.measureText(text).width <= room) {
    pen.textAlign = "left";
    pen.fillStyle = colours.paper;
    pen.fillText(text, start + 3, middle + 0.5);
  }
  pen.font = size;
}

const isLate = (task, release, end) => end - release > deadlineOf(task, release);

// From release to end: what a job waits for shows as pale, what is late as red.
function paintWaits(pen, row, top, tall) {
  const { jobs } = run();
  const first = lower(row.jobs, (j) => jobs.start[j], state.from - row.longest);
  let covered = -Infinity;
  for (let n = first; n < row.jobs.length; n++) {
    const j = row.jobs[n];
    const release = jobs.release[j], end = finite(jobs.end[j]);
    if (jobs.start[j] > state.to + row.longest) break;
    if (end < state.from || release > state.to) continue;
    covered = paintWait(pen, tasks[jobs.task[j]], release, end, top, tall, covered);
  }
  for (const job of row.waiting) paintWait(pen, job.task, job.release, data.window, top, tall, -Infinity);
}

function paintWait(pen, task, release, end, top, tall, covered) {
  const from = Math.max(gutter - BRIM, x(release), covered), to = Math.min(width, x(end));
  if (to > from) {
    pen.fillStyle = colours.levels[task.row].wait;
    pen.fillRect(from, top, to - from, tall);
  }
  if (isLate(task, release, end)) {
    pen.fillStyle = colours.bad;
    const due = x(release + deadlineOf(task, release));
    pen.fillRect(due, top - 3, Math.max(1.5, to - due), 3);
  }
  return Math.max(covered, to);
}

// Calls `paintAt` with the place of each instant of `streams`; those too close to be told apart are left out.
function eachInstant(streams, end, paintAt) {
  for (const { period, offset } of streams) {
    if (period / span() * plotWidth() < 5) continue;
    for (let n = Math.max(0, Math.ceil((state.from - offset) / period)); ; n++) {
      const at = offset + n * period;
      if (at > state.to || at > end) break;
      paintAt(x(at));
    }
  }
}

function paintReleases(pen, row, top) {
  pen.fillStyle = colours.ink;
  eachInstant(row.streams, data.window - 1, (left) => {
    pen.fillRect(left - 0.5, top + 2, 1, ROW - 5);
    arrowhead(pen, left, top, 4.5);
  });
}

// Downwards, in the lower half, so that a release at the same instant is still seen.
function paintDeadlines(pen, row, top) {
  pen.fillStyle = colours.bad;
  eachInstant(row.deadlines, data.window, (left) => {
    pen.fillRect(left - 0.5, top + ROW / 2, 1, ROW / 2 - 4);
    arrowhead(pen, left, top + ROW - 1, -4.5);
  });
}

function arrowhead(pen, left, tip, tall) {
  pen.beginPath();
  pen.moveTo(left, tip);
  pen.lineTo(left - 3, tip + tall);
  pen.lineTo(left + 3, tip + tall);
  pen.fill();
}

function paintPointer(pen) {
  if (!state.pointer || state.pointer.x < gutter || drag) return;
  pen.fillStyle = colours.dim;
  pen.globalAlpha = 0.5;
  pen.fillRect(state.pointer.x, AXIS - 5, 1, height - AXIS + 5);
  pen.globalAlpha = 1;
}

// ---- The cursor that measures: `cursor` moves, `mark` stays; between them lies what is measured ---------------

function measureText() {
  if (state.cursor === null) return "";
  if (state.mark === null) return `Cursor at ${exactText(state.cursor)}`;
  const [from, to] = [state.mark, state.cursor].sort((a, b) => a - b);
  return `${exactText(from)} to ${exactText(to)}: ${exactText(to - from)}`;
}

function paintMeasure(pen) {
  if (state.cursor === null) return;
  const inside = (time) => Math.max(gutter, Math.min(width - RIGHT, x(time)));
  const ends = state.mark === null ? [state.cursor] : [state.mark, state.cursor].sort((a, b) => a - b);
  pen.fillStyle = colours.ours;
  if (ends.length === 2) {
    pen.globalAlpha = 0.14;
    pen.fillRect(inside(ends[0]), AXIS - 5, inside(ends[1]) - inside(ends[0]), height - AXIS + 5);
    pen.globalAlpha = 1;
  }
  for (const time of ends) if (time >= state.from && time <= state.to) pen.fillRect(x(time) - 0.75, AXIS - 5, 1.5, height - AXIS + 5);
  const text = ends.length === 2 ? exactText(ends[1] - ends[0]) : exactText(ends[0]);
  const room = pen.measureText(text).width + 12;
  const middle = ends.reduce((sum, time) => sum + inside(time), 0) / ends.length;
  const left = Math.max(gutter, Math.min(width - room - 2, middle - room / 2));
  pen.fillRect(left, 1, room, AXIS - 7);
  pen.fillStyle = colours.paper;
  pen.textAlign = "left";
  pen.fillText(text, left + 6, AXIS / 2 - 2);
}

// ---- The whole run: how busy the processor was, and which part of it is shown above.
let mapLoad = null;
const mapX = (time) => gutter + time / data.window * plotWidth();

// The share of each bin of the whole run in which `of` (bodies, or the kernel) had the processor.
function load(of) {
  const bins = new Float64Array(Math.max(1, Math.floor(plotWidth() / 2)));
  const each = data.window / bins.length;
  for (let s = 0; s < of.length; s++) {
    let from = of.from[s];
    const to = finite(of.to[s]);
    for (let bin = Math.floor(from / each); from < to && bin < bins.length; bin++) {
      const until = Math.min(to, (bin + 1) * each);
      bins[bin] += (until - from) / each;
      from = until;
    }
  }
  return bins;
}

function paintMap(pen) {
  mapLoad ??= { bodies: load(run().segments), kernel: load(run().kernel) };
  pen.fillStyle = colours.panel;
  pen.fillRect(0, 0, width, MAP);
  pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  pen.textBaseline = "middle";
  label(pen, "whole run", timeText(data.window), MAP / 2);
  const { bodies, kernel } = mapLoad;
  const wide = plotWidth() / bodies.length, tall = MAP - 10;
  bodies.forEach((busy, bin) => {
    pen.fillStyle = colours.dim;
    pen.fillRect(gutter + bin * wide, MAP - 5 - busy * tall, wide, busy * tall);
    pen.fillStyle = colours.kernel;
    pen.fillRect(gutter + bin * wide, MAP - 5 - (busy + kernel[bin]) * tall, wide, kernel[bin] * tall);
  });
  const left = mapX(state.from), shown = Math.max(3, mapX(state.to) - left);
  pen.fillStyle = colours.ours;
  pen.globalAlpha = 0.25;
  pen.fillRect(left, 2, shown, MAP - 4);
  pen.globalAlpha = 1;
  pen.strokeStyle = colours.ours;
  pen.lineWidth = 1.5;
  pen.strokeRect(left, 2, shown, MAP - 4);
}

