// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: 0BSD

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
  if (lane >= 0 && lane < lanes().length) return describeProcessor(time, near, runs[lanes()[lane]]);
  const row = rowsOf(run(), state.mode)[Math.floor((top - rowsTop + state.scroll) / ROW)];
  return row && top >= rowsTop ? describeSegment(row, time, near) ?? describeWait(row, time) : null;
}

function describeProcessor(time, near, of) {
  const body = describeSegment(null, time, 0, of) ?? describeKernel(time, of) ?? describeSegment(null, time, near, of);
  if (body || !of.kernel.length) return body;
  return ["idle", `at ${instantText(time, 1e3)}`];
}

function describeKernel(time, { kernel }) {
  const n = firstEnding(kernel, time);
  if (n >= kernel.length || kernel.from[n] > time) return null;
  const long = timeText(kernel.to[n] - kernel.from[n]);
  return ["kernel", `from ${instantText(kernel.from[n], 1e3)}`, kernel.mean[n] ? `until it idles: ${long}, the mean of the run` : `for ${long}`];
}

function describeSegment(row, time, near, of = run()) {
  const { segments } = of;
  const total = row ? row.segments.length : segments.length;
  const pick = row ? (n) => row.segments[n] : (n) => n;
  const low = firstEnding(segments, time, total, pick);
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
