// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: 0BSD

// What scrolls sideways can be reached from the keyboard, while it does, and has a name.
const scrollers = [...document.querySelectorAll(".scroll, pre")];
function reachScrollers() {
  for (const one of scrollers) {
    if (one.scrollWidth > one.clientWidth) {
      const title = one.querySelector("caption") ?? one.closest("section").querySelector("h2");
      one.tabIndex = 0;
      one.setAttribute("role", "group");
      one.setAttribute("aria-label", `${one.tagName === "PRE" ? one.textContent : title.textContent}, scrolls sideways`);
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) one.removeAttribute(name);
    }
  }
}
const sizes = new ResizeObserver(reachScrollers);
for (const one of scrollers) sizes.observe(one);
reachScrollers();
