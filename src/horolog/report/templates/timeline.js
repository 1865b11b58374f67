// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: 0BSD
"use strict";

// The timeline: which task ran when, with releases and interrupts. It reads the page's data block;
// horolog/report/packing.py describes its packed runs. Times are nanoseconds since t = 0.
(() => {
  const root = document.getElementById("timeline");
  const data = JSON.parse(document.getElementById("timeline-data").textContent);
  const canvas = root.querySelector("canvas.main");
  const map = root.querySelector("canvas.map");
  const tip = root.querySelector(".tip");
  const range = root.querySelector(".range");
  const spoken = root.querySelector("[aria-live]");
  const places = root.querySelector("select");

  const AXIS = 26, CELL_ROW = 16, CPU_ROW = 26, ROW = 19, GAP = 6, MAP = 44, RIGHT = 10;
  const BRIM = 5; // half an arrowhead: what is at an edge of the plot may reach so far over it
  const MOST_ROWS = 31; // more scroll inside the picture
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

  async function unpack(text) {
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
    return { jobs, waiting, segments, calls, rows: {} };
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
  function niceStep(least) {
    const power = 10 ** Math.floor(Math.log10(least));
    return power * ([1, 2, 5].find((step) => step * power >= least) ?? 10);
  }

  // ---- State and geometry -----------------------------------------------------------------------

  const state = { side: 0, mode: "levels", from: data.view[0], to: data.view[1], scroll: 0, pointer: null };
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
    colours = Object.fromEntries(["paper", "panel", "ink", "dim", "line", "faint", "ours", "theirs", "bad"].map((name) => [name, value(`--${name}`)]));
    const most = Math.max(1, data.levels.length - 1);
    const light = parseFloat(value("--run-light")), chroma = parseFloat(value("--run-chroma"));
    // The most urgent level is teal; the least urgent violet. Neighbours alternate in lightness.
    colours.levels = data.levels.map((_, row) => {
      const hue = 175 + 115 * row / most;
      return { run: `hsl(${hue} ${chroma}% ${light + (row % 2 ? 5 : 0)}%)`, wait: `hsl(${hue} ${chroma}% ${light}% / .2)` };
    });
  }

  function resize() {
    width = root.clientWidth;
    gutter = Math.min(150, Math.max(86, width * 0.14));
    const rows = state.mode === "levels" ? data.levels.length : tasks.length;
    shownRows = Math.min(rows, MOST_ROWS);
    height = layout().rowsTop + shownRows * ROW + 6;
    for (const [element, tall] of [[canvas, height], [map, MAP]]) {
      const scale = window.devicePixelRatio || 1;
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
      if (!run()) return;
      paint(canvas.getContext("2d"));
      paintMap(map.getContext("2d"));
      const step = niceStep(span() / 1000);
      range.textContent = `${instantText(state.from, step)} to ${instantText(state.to, step)}`;
    });
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
      clipped(pen, top, CPU_ROW, 0, () => paintSegments(pen, null, top + 1, CPU_ROW - 2, runs[side]));
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
      label(pen, row.label, row.note, top + ROW / 2);
      clipped(pen, top, ROW, BRIM, () => {
        paintWaits(pen, row, top + 5, ROW - 8);
        paintSegments(pen, row, top + 5, ROW - 8);
        paintReleases(pen, row, top);
      });
    }
    if (rows.length > shownRows) {
      const share = shownRows / rows.length, tall = height - rowsTop - 6;
      pen.fillStyle = colours.dim;
      pen.fillRect(width - 5, rowsTop + state.scroll / (rows.length * ROW) * tall, 3, Math.max(12, share * tall));
    }
    pen.restore();
    paintPointer(pen);
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

  // Segments of `row`, or of all if null. What is narrower than a pixel adds up within its pixel and is
  // drawn as pale as the pixel is empty, so that a picture of everything is still true.
  function paintSegments(pen, row, top, tall, of = run()) {
    const { segments, jobs } = of;
    const total = row ? row.segments.length : segments.length;
    const pick = row ? (n) => row.segments[n] : (n) => n;
    let low = 0, high = total;
    while (low < high) { // the first that ends after the view begins
      const middle = (low + high) >>> 1;
      if (segments.to[pick(middle)] <= state.from) low = middle + 1; else high = middle;
    }
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
    for (let n = low; n < total; n++) {
      const s = pick(n), from = segments.from[s];
      if (from >= state.to) break;
      const task = tasks[jobs.task[segments.job[s]]];
      const left = gutter + (from - state.from) * scale, wide = (segments.to[s] - from) * scale;
      if (wide >= 1) {
        flush();
        pen.fillStyle = colours.levels[task.row].run;
        pen.fillRect(left, top, wide, tall);
        if (wide > 24 && (row === null || state.mode === "levels")) name(pen, task.name, left, wide, top + tall / 2);
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

  function paintReleases(pen, row, top) {
    pen.fillStyle = colours.ink;
    for (const { period, offset } of row.streams) {
      if (period / span() * plotWidth() < 5) continue; // too many to be told apart
      for (let n = Math.max(0, Math.ceil((state.from - offset) / period)); ; n++) {
        const at = offset + n * period;
        if (at > state.to || at >= data.window) break;
        const left = x(at);
        pen.fillRect(left - 0.5, top + 2, 1, ROW - 5);
        pen.beginPath();
        pen.moveTo(left, top);
        pen.lineTo(left - 3, top + 4.5);
        pen.lineTo(left + 3, top + 4.5);
        pen.fill();
      }
    }
  }

  function paintPointer(pen) {
    if (!state.pointer || state.pointer.x < gutter || drag) return;
    pen.fillStyle = colours.dim;
    pen.globalAlpha = 0.5;
    pen.fillRect(state.pointer.x, AXIS - 5, 1, height - AXIS + 5);
    pen.globalAlpha = 1;
  }

  // The whole run: how busy the processor was, and which part of it is shown above.
  let mapLoad = null;
  const mapX = (time) => gutter + time / data.window * plotWidth();

  function load() {
    const bins = new Float64Array(Math.max(1, Math.floor(plotWidth() / 2)));
    const { segments } = run(), each = data.window / bins.length;
    for (let s = 0; s < segments.length; s++) {
      let from = segments.from[s];
      const to = finite(segments.to[s]);
      for (let bin = Math.floor(from / each); from < to && bin < bins.length; bin++) {
        const until = Math.min(to, (bin + 1) * each);
        bins[bin] += (until - from) / each;
        from = until;
      }
    }
    return bins;
  }

  function paintMap(pen) {
    mapLoad ??= load();
    pen.fillStyle = colours.panel;
    pen.fillRect(0, 0, width, MAP);
    pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    pen.textBaseline = "middle";
    label(pen, "whole run", timeText(data.window), MAP / 2);
    const wide = plotWidth() / mapLoad.length;
    pen.fillStyle = colours.dim;
    mapLoad.forEach((busy, bin) => pen.fillRect(gutter + bin * wide, MAP - 5 - busy * (MAP - 10), wide, busy * (MAP - 10)));
    const left = mapX(state.from), shown = Math.max(3, mapX(state.to) - left);
    pen.fillStyle = colours.ours;
    pen.globalAlpha = 0.25;
    pen.fillRect(left, 2, shown, MAP - 4);
    pen.globalAlpha = 1;
    pen.strokeStyle = colours.ours;
    pen.lineWidth = 1.5;
    pen.strokeRect(left, 2, shown, MAP - 4);
  }

  // ---- What is under the pointer ----------------------------------------------------------------

  function describe(left, top) {
    const { cellsTop, cpuTop, rowsTop } = layout();
    const time = timeAt(left), near = 4 * span() / plotWidth();
    if (left < gutter || top < cellsTop) return null;
    if (top < cpuTop - GAP) {
      const cell = shownCells()[Math.floor((top - cellsTop) / CELL_ROW)];
      if (!cell) return null;
      const times = run().calls[cell.index], after = lower(times, (t) => t, time);
      const at = [times[after - 1], times[after]].filter((t) => t !== undefined)
        .sort((a, b) => Math.abs(a - time) - Math.abs(b - time))[0];
      return at !== undefined && Math.abs(at - time) < near ? [`${cell.name} interrupts`, `at ${instantText(at, 10)}`] : null;
    }
    const lane = Math.floor((top - cpuTop) / CPU_ROW);
    if (lane >= 0 && lane < lanes().length) return describeSegment(null, time, near, runs[lanes()[lane]]);
    const row = rowsOf(run(), state.mode)[Math.floor((top - rowsTop + state.scroll) / ROW)];
    return row && top >= rowsTop ? describeSegment(row, time, near) ?? describeWait(row, time) : null;
  }

  function describeSegment(row, time, near, of = run()) {
    const { segments } = of;
    const list = row ? row.segments : null;
    const pick = list ? (n) => list[n] : (n) => n;
    let low = 0, high = list ? list.length : segments.length;
    const total = high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (segments.to[pick(middle)] <= time) low = middle + 1; else high = middle;
    }
    let best = null, distance = near / 2;
    for (const n of [low - 1, low]) {
      if (n < 0 || n >= total) continue;
      const s = pick(n);
      const away = Math.max(0, segments.from[s] - time, time - segments.to[s]);
      if (away <= distance) [best, distance] = [s, away];
    }
    return best === null ? null : [...describeJob(segments.job[best], of), `this stretch: ${timeText(segments.to[best] - segments.from[best])}`];
  }

  function describeWait(row, time) {
    const { jobs } = run();
    for (let n = lower(row.jobs, (j) => jobs.start[j], time - row.longest); n < row.jobs.length; n++) {
      const j = row.jobs[n];
      if (jobs.start[j] > time + row.longest) break;
      if (jobs.release[j] <= time && time <= finite(jobs.end[j])) return describeJob(j);
    }
    const job = row.waiting.find(({ release }) => release <= time);
    return job ? [`${job.task.name} #${job.number}`, `released ${instantText(job.release, 1e3)}`, "never began"] : null;
  }

  function describeJob(j, of = run()) {
    const { jobs } = of;
    const task = tasks[jobs.task[j]], release = jobs.release[j], end = jobs.end[j];
    const lines = [`${task.name} #${jobs.number[j]}`, `level ${task.level}, every ${timeText(task.period)}`,
      `released ${instantText(release, 1e3)}, began ${timeText(jobs.start[j] - release)} later`];
    if (end === Infinity) return [...lines, "unfinished"];
    const response = end - release, deadline = deadlineOf(task, release);
    lines.push(`response ${timeText(response)}: ${parseFloat((100 * response / deadline).toPrecision(3))} % of its deadline`);
    if (response > deadline) lines.push(`late by ${timeText(response - deadline)}`);
    return lines;
  }

  function hover(event) {
    const box = canvas.getBoundingClientRect();
    state.pointer = { x: event.clientX - box.left, y: event.clientY - box.top };
    const lines = run() && !drag ? describe(state.pointer.x, state.pointer.y) : null;
    tip.hidden = !lines;
    if (lines) {
      const title = document.createElement("b");
      title.textContent = lines[0];
      tip.replaceChildren(title, `\n${lines.slice(1).join("\n")}`);
      const right = state.pointer.x + 16 + tip.offsetWidth > width;
      const low = state.pointer.y + 16 + tip.offsetHeight > height;
      const left = right ? Math.max(4, state.pointer.x - 12 - tip.offsetWidth) : state.pointer.x + 16;
      const top = low ? Math.max(4, state.pointer.y - 12 - tip.offsetHeight) : state.pointer.y + 16;
      tip.style.transform = `translate(${left}px, ${top}px)`;
    }
    draw();
  }

  // ---- Hands on it ------------------------------------------------------------------------------

  let drag = null;

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    drag = { x: event.clientX, y: event.clientY, from: state.from, scroll: state.scroll };
    tip.hidden = true;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) return hover(event);
    const long = span(), moved = (event.clientX - drag.x) / plotWidth() * long;
    state.scroll = drag.scroll - (event.clientY - drag.y);
    show(drag.from - moved, drag.from - moved + long);
  });
  const release = () => { drag = null; draw(); };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => { state.pointer = null; tip.hidden = true; draw(); });
  canvas.addEventListener("dblclick", (event) => zoom(0.4, timeAt(event.clientX - canvas.getBoundingClientRect().left)));

  // A page that is being scrolled must not get stuck here: the wheel zooms only when asked to.
  canvas.addEventListener("wheel", (event) => {
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      pan((event.deltaX || event.deltaY) / 1000);
    } else if (event.ctrlKey || event.metaKey || document.activeElement === canvas) {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * lines / 300))), timeAt(event.clientX - canvas.getBoundingClientRect().left));
    }
  }, { passive: false });

  const keys = {
    ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2),
    ArrowUp: () => { state.scroll -= ROW; limit(); }, ArrowDown: () => { state.scroll += ROW; limit(); },
    PageUp: () => { state.scroll -= ROW * shownRows; limit(); }, PageDown: () => { state.scroll += ROW * shownRows; limit(); },
    "+": () => zoom(0.6), "=": () => zoom(0.6), "-": () => zoom(1 / 0.6),
    Home: () => show(0, span()), End: () => show(data.window - span(), data.window), 0: () => show(0, data.window),
    k: () => choose((state.side + 1) % data.sides.length),
  };
  canvas.addEventListener("keydown", (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? null : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
    const step = niceStep(span() / 100);
    spoken.textContent = `${data.sides[state.side].name}, ${instantText(state.from, step)} to ${instantText(state.to, step)}`;
  });

  let mapHeld = false;
  const mapGo = (event) => {
    const middle = (event.clientX - map.getBoundingClientRect().left - gutter) / plotWidth() * data.window;
    show(middle - span() / 2, middle + span() / 2);
  };
  map.addEventListener("pointerdown", (event) => { map.setPointerCapture(event.pointerId); mapHeld = true; mapGo(event); });
  map.addEventListener("pointermove", (event) => { if (mapHeld) mapGo(event); });
  map.addEventListener("pointerup", () => { mapHeld = false; });
  map.addEventListener("pointercancel", () => { mapHeld = false; });

  function pressed(attribute, value) {
    for (const button of root.querySelectorAll(`button[data-${attribute}]`)) {
      button.setAttribute("aria-pressed", String(button.dataset[attribute] === String(value)));
    }
  }

  async function choose(side) {
    for (const one of data.lanes ? data.sides.keys() : [side]) runs[one] ??= await unpack(data.sides[one].run);
    state.side = side;
    pressed("side", side);
    const options = [["Go to …", null, null], ["start", ...data.view], ...data.sides[side].places];
    places.replaceChildren(...options.map(([title], n) => new Option(title, String(n))));
    places.onchange = () => {
      const [, from, to] = options[places.selectedIndex];
      places.selectedIndex = 0;
      if (from !== null) show(from, to);
    };
    resize();
  }

  function arrange(mode) {
    state.mode = mode;
    state.scroll = 0;
    pressed("rows", mode);
    resize();
  }

  for (const button of root.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      if (button.dataset.side) choose(Number(button.dataset.side));
      if (button.dataset.rows) arrange(button.dataset.rows);
      if (button.dataset.zoom === "all") show(0, data.window);
      else if (button.dataset.zoom) zoom(button.dataset.zoom === "in" ? 0.5 : 2);
    });
  }

  // report.html#timeline=12000000,14500000,tasks,1 opens at these nanoseconds, rows and kernel.
  function readAddress() {
    const [, text] = location.hash.match(/^#timeline=(.+)$/) ?? [];
    if (!text) return 0;
    const [from, to, mode, side] = text.split(",");
    if (Number(to) > Number(from)) [state.from, state.to] = [Number(from), Number(to)];
    if (mode === "tasks") state.mode = mode;
    pressed("rows", state.mode);
    return Math.min(data.sides.length - 1, Number(side) || 0);
  }

  new ResizeObserver(() => { if (run() && root.clientWidth !== width) resize(); }).observe(root);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); draw(); });
  window.addEventListener("beforeprint", () => { readColours(); if (run()) resize(); });
  readColours();
  choose(readAddress()).catch((error) => {
    const note = document.createElement("p");
    note.className = "note";
    note.textContent = `The timeline cannot be shown in this browser: ${error.message}`;
    root.replaceChildren(note);
  });
})();
