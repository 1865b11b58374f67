// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// Looks at pages in headless Chromium: pictures, axe's findings, and what a script of the test's finds there.
//
//     node visit.cjs --modules FOLDER --browser CHROMIUM < visits.json > found.json
//
// visits.json is a list. A visit: `page` (a file), `width`, and at will `height`, `scheme` ("light" or "dark"),
// `media` ("print"), `style` (CSS beside the page's own), `fragment` (of the address, for a page's first visit), `does`
// (a function of report.cjs, of which `said` has what it returns), `axe` (true), `picture` (a file), `of` (a selector: of
// that only; else of the whole page, or of its first `height` pixels). Visits of one page that follow each other
// share its tab. Found are `visits`, and `errors` of all pages.
"use strict";

const { readFileSync } = require("node:fs");
const { pathToFileURL } = require("node:url");
const { join, resolve } = require("node:path");

const option = (name) => process.argv[process.argv.indexOf(`--${name}`) + 1];
const modules = resolve(option("modules"));
const { chromium } = require(join(modules, "playwright-core"));
const report = require("./report.cjs");
const AXE = readFileSync(join(modules, "axe-core", "axe.min.js"), "utf8");
const FLAGS = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--font-render-hinting=none"];

async function audit(page) {
  if (!await page.evaluate(() => "axe" in window)) await page.evaluate(AXE);
  const found = await page.evaluate(() => window.axe.run(document, { preload: false, resultTypes: ["violations", "incomplete"] }));
  const short = (of) => of.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ target, failureSummary, any }) => (
    { target: target.join(" "), why: failureSummary ?? any.map(({ message }) => message).join("; ") })) }));
  return { version: found.testEngine.version, passes: found.passes.length, violations: short(found.violations), incomplete: short(found.incomplete) };
}

async function visit(page, one) {
  await page.emulateMedia({ colorScheme: one.scheme ?? "light", media: one.media ?? "screen" });
  await page.setViewportSize({ width: one.width, height: one.height ?? 900 });
  const style = one.style ? await page.addStyleTag({ content: one.style }) : null;
  // Two frames: what a change of size draws anew is drawn in the first.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const found = { page: one.page, width: one.width, scheme: one.scheme ?? "light" };
  if (one.does) found.said = await report[one.does](page);
  if (one.axe) found.axe = await audit(page);
  if (one.picture && one.of) await page.locator(one.of).first().screenshot({ path: one.picture });
  else if (one.picture) await page.screenshot({ path: one.picture, fullPage: one.height === undefined });
  if (style) await style.evaluate((element) => element.remove());
  return found;
}

async function main() {
  const visits = JSON.parse(readFileSync(0, "utf8"));
  const browser = await chromium.launch({ executablePath: option("browser"), args: FLAGS, chromiumSandbox: false });
  const results = [], errors = [];
  try {
    const context = await browser.newContext({ deviceScaleFactor: 1, reducedMotion: "reduce" });
    let page = null, shown = null;
    for (const one of visits) {
      if (shown !== one.page) {
        await page?.close();
        page = await context.newPage();
        page.on("pageerror", (error) => errors.push(String(error)));
        page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
        page.on("request", (request) => { if (!/^(file|data|blob):/.test(request.url())) errors.push(`asked for ${request.url()}`); });
        const address = pathToFileURL(resolve(one.page));
        await page.goto(address.href + (one.fragment ? `#${one.fragment}` : ""));
        shown = one.page;
      }
      results.push(await visit(page, one));
    }
  } finally {
    await browser.close();
  }
  process.stdout.write(JSON.stringify({ visits: results, errors }));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
