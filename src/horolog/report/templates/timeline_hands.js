// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: 0BSD

// ---- Hands on it ------------------------------------------------------------------------------

let drag = null;
const measuring = root.querySelector("button[data-measure]");

// What the pointer is at: an edge that is near enough, or just that instant.
function pointed(event) {
  const time = Math.max(0, Math.min(data.window, timeAt(event.clientX - canvas.getBoundingClientRect().left)));
  const [near, away] = edgesAround(time).reduce(([best, least], edge) => (
    Math.abs(edge - time) < least ? [edge, Math.abs(edge - time)] : [best, least]), [time, Infinity]);
  return away < 6 * span() / plotWidth() ? near : time;
}

// Begins and ends of bodies, and interrupts, next to `time` on both sides.
function edgesAround(time) {
  const { segments, calls } = run();
  const first = firstEnding(segments, time);
  const found = [first - 1, first, first + 1].filter((s) => s >= 0 && s < segments.length).flatMap((s) => [segments.from[s], segments.to[s]]);
  for (const times of calls) {
    const after = lower(times, (at) => at, time);
    for (let n = after - 1; n <= after + 1; n++) if (times[n] !== undefined) found.push(times[n]);
  }
  return found;
}

function placeCursor(time) {
  state.cursor = Math.max(0, Math.min(data.window, time));
  if (state.cursor < state.from || state.cursor > state.to) show(state.cursor - span() / 2, state.cursor + span() / 2);
  draw();
  const there = describeProcessor(state.cursor, 0, run())?.[0];
  spoken.textContent = `${measureText()}${there ? `, ${there}` : ""}`;
}
const cursorNow = () => state.cursor ?? (state.from + state.to) / 2;

function stepCursor(direction) {
  const time = cursorNow();
  const ahead = edgesAround(time).filter((edge) => (edge - time) * direction > 0.5).sort((a, b) => (a - b) * direction);
  if (ahead.length) placeCursor(ahead[0]);
}

canvas.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  canvas.setPointerCapture(event.pointerId);
  drag = { x: event.clientX, y: event.clientY, from: state.from, scroll: state.scroll, before: state.cursor, extends: event.shiftKey,
    measures: event.shiftKey || measuring.getAttribute("aria-pressed") === "true", moved: false };
  if (drag.measures) state.mark = state.cursor = pointed(event);
  tip.hidden = true;
  draw();
});
canvas.addEventListener("pointermove", (event) => {
  if (!drag) return hover(event);
  drag.moved ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 3;
  if (drag.measures) {
    state.cursor = pointed(event);
    return draw();
  }
  if (!drag.moved) return undefined;
  const long = span(), moved = (event.clientX - drag.x) / plotWidth() * long;
  state.scroll = drag.scroll - (event.clientY - drag.y);
  return show(drag.from - moved, drag.from - moved + long);
});
const release = () => { drag = null; draw(); };
// A click sets the cursor; with Shift it measures from where the cursor was.
canvas.addEventListener("pointerup", (event) => {
  if (drag && !drag.moved && event.clientX - canvas.getBoundingClientRect().left >= gutter) {
    state.mark = drag.extends ? drag.before : null;
    state.cursor = pointed(event);
  }
  release();
});
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
// They say by themselves where the cursor is.
const cursorKeys = {
  ",": () => placeCursor(cursorNow() - span() / 200), ".": () => placeCursor(cursorNow() + span() / 200),
  "<": () => stepCursor(-1), ">": () => stepCursor(1),
  m: () => { state.mark = cursorNow(); placeCursor(state.mark); },
  Escape: () => { state.cursor = state.mark = null; spoken.textContent = "No cursor"; draw(); },
  "/": () => wanted.focus(),
};
canvas.addEventListener("keydown", (event) => {
  const plain = !(event.ctrlKey || event.metaKey || event.altKey);
  const act = plain ? keys[event.key] ?? cursorKeys[event.key] : null;
  if (!act) return;
  event.preventDefault();
  act();
  if (!keys[event.key]) return;
  const step = niceStep(span() / 100);
  spoken.textContent = `${data.sides[state.side].name}, ${instantText(state.from, step)} to ${instantText(state.to, step)}`;
});

// ---- Search -----------------------------------------------------------------------------------

// The task that is meant: by its whole name, by its begin, by a part of it.
function taskNamed(text) {
  const like = text.toLowerCase(), names = tasks.map((task) => [task, task.name.toLowerCase()]);
  const tests = [(name) => name === like, (name) => name.startsWith(like), (name) => name.includes(like)];
  for (const test of tests) {
    const hit = names.find(([, name]) => test(name));
    if (hit) return hit[0];
  }
  return null;
}

// Shows the row of the task and its next job, or with `direction` -1 the one before.
function findTask(text, direction) {
  const task = text ? taskNamed(text) : null;
  if (!task) {
    state.found = null;
    spoken.textContent = text ? `No task has ${text} in its name` : "";
    wanted.setCustomValidity(text ? spoken.textContent : "");
    return draw();
  }
  wanted.setCustomValidity("");
  const again = state.found === task;
  state.found = task;
  if (state.mode !== "tasks") arrange("tasks");
  const at = rowsOf(run(), "tasks").findIndex((row) => row.tasks.includes(task));
  const row = rowsOf(run(), "tasks")[at], { jobs } = run();
  state.scroll = Math.max(0, (at - Math.floor(shownRows / 2)) * ROW);
  const from = again && state.cursor !== null ? state.cursor : state.from;
  const starts = row.jobs.filter((j) => (jobs.start[j] - from) * direction > (again ? 0.5 : -0.5));
  const next = direction > 0 ? starts[0] : starts.at(-1);
  limit();
  if (next === undefined) {
    spoken.textContent = `${task.name}: no job ${direction > 0 ? "behind" : "before"} here`;
    return draw();
  }
  state.mark = null;
  placeCursor(jobs.start[next]);
  spoken.textContent = `${task.name}, job ${jobs.number[next]}, begins at ${exactText(jobs.start[next])}`;
  return undefined;
}

const names = document.createElement("datalist");
names.id = "timeline-tasks";
names.replaceChildren(...tasks.map((task) => new Option("", task.name)));
wanted.after(names);
wanted.setAttribute("list", names.id);
wanted.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  findTask(wanted.value.trim(), event.shiftKey ? -1 : 1);
});
wanted.addEventListener("change", () => { if (taskNamed(wanted.value.trim()) !== state.found) findTask(wanted.value.trim(), 1); });

// ---- The map, buttons, paper --------------------------------------------------------------------

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
  for (const one of data.lanes ? data.sides.keys() : [side]) runs[one] ??= await unpack(data.sides[one]);
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
    if (button === measuring) button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
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

new ResizeObserver(() => { if (run() && root.clientWidth !== width && !state.paper) resize(); }).observe(root);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); draw(); });

// On paper: the light colours, as wide as a page, whatever the screen has.
function print(paper) {
  if (state.paper === paper) return;
  state.paper = paper;
  document.documentElement.classList.toggle("paper", paper);
  readColours();
  if (!run()) return;
  resize();
  paintAll();
}
window.addEventListener("beforeprint", () => print(true));
window.addEventListener("afterprint", () => print(false));
matchMedia("print").addEventListener("change", ({ matches }) => print(matches));
readColours();
choose(readAddress()).catch((error) => {
  const note = document.createElement("p");
  note.className = "note";
  note.textContent = `The timeline cannot be shown in this browser: ${error.message}`;
  root.replaceChildren(note);
});
