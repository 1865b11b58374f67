// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// What tests do with the report, by name (visit.cjs); each is given Playwright's `page`, and returns what it saw.
"use strict";

const drawn = (page) => page.waitForTimeout(60); // a frame or two
const text = (page, selector) => page.locator(selector).textContent();
const measured = (page) => text(page, ".measured");

// By how many pixels the page is wider than the window.
exports.overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

exports.keys = async (page) => {
  const said = async () => {
    await drawn(page);
    return text(page, "#timeline [aria-live]");
  };
  const found = { reached: [] };
  for (let n = 0; n < 2; n++) {
    await page.keyboard.press("Tab");
    found.reached.push(await page.evaluate(() => document.activeElement.textContent));
  }
  await page.locator("canvas.main").focus();
  for (const key of ["+", "+", "+", ">", "m"]) await page.keyboard.press(key);
  found.marked = await said();
  await page.keyboard.press(">");
  found.measured = await said();
  found.shown = await measured(page);
  await page.keyboard.press("/");
  await page.keyboard.type("t000");
  await page.keyboard.press("Enter");
  found.searched = await said();
  await page.keyboard.press("Enter");
  found.again = await said();
  await page.keyboard.press("Shift+Enter");
  found.back = await said();
  await page.locator("#timeline input").fill("no such task");
  await page.keyboard.press("Enter");
  found.none = await said();
  await page.locator("canvas.main").focus();
  await page.keyboard.press("Escape");
  await drawn(page);
  found.removed = await measured(page);
  return found;
};

exports.mouse = async (page) => {
  const canvas = page.locator("canvas.main");
  await canvas.scrollIntoViewIfNeeded();
  const { x, y, width } = await canvas.boundingBox();
  const at = (share) => [x + width * share, y + 60];
  await page.mouse.click(...at(0.5));
  await page.keyboard.down("Shift");
  await page.mouse.click(...at(0.7));
  await page.keyboard.up("Shift");
  await drawn(page);
  const clicked = await measured(page), range = await text(page, ".range");
  await page.locator("button[data-measure]").click();
  await page.mouse.move(...at(0.4));
  await page.mouse.down();
  await page.mouse.move(...at(0.6), { steps: 4 });
  await page.mouse.up();
  await drawn(page);
  return { clicked, dragged: await measured(page), stayed: range === await text(page, ".range") };
};

// How many pixels of the timeline have each of the page's colours.
exports.colours = async (page) => {
  await drawn(page);
  return page.evaluate(() => {
    const canvas = document.querySelector("canvas.main");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const style = getComputedStyle(document.documentElement);
    const found = { width: canvas.width, corner: [...data.slice(0, 3)], classes: document.documentElement.className };
    for (const name of ["kernel", "faint", "bad", "ink"]) {
      const colour = style.getPropertyValue(`--${name}`).trim();
      const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
      found[name] = 0;
      for (let at = 0; at < data.length; at += 4) {
        if (wanted.every((value, part) => Math.abs(value - data[at + part]) < 3)) found[name]++;
      }
    }
    return found;
  });
};
