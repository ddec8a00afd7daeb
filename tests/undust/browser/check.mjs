// Opens a report in Chromium at several widths, light and dark, and prints it. Prints what is wrong, a line each.
//
//   node check.mjs CHROMIUM REPORT.html [FOLDER FOR PICTURES]

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { HtmlValidate } from "html-validate";
import { chromium } from "playwright-core";

const [executablePath, report, pictures] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const settings = [
  { name: "400", width: 400, colorScheme: "light" },
  { name: "1000", width: 1000, colorScheme: "light" },
  { name: "1600", width: 1600, colorScheme: "light" },
  { name: "dark", width: 1000, colorScheme: "dark" },
];
const wrong = [];

// Rules of layout and of taste are ours: void elements, long lines, roles that are there for scrolling.
const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: { "void-style": "off", "no-inline-style": "error", "prefer-native-element": "off", "long-title": "off", "no-raw-characters": "off" },
});
const validated = await validator.validateString(readFileSync(report, "utf8"));
for (const { messages } of validated.results) {
  for (const { ruleId, message, line, column } of messages.slice(0, 20)) {
    wrong.push(`html-validate: ${ruleId}: ${message} (${line}:${column})`);
  }
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const { name, width, colorScheme } of settings) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
  const page = await context.newPage();
  const tell = (what) => wrong.push(`${name}: ${what}`);
  page.on("pageerror", (error) => tell(`script error: ${error}`));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && tell(`console: ${message.text()}`));
  page.on("dialog", (dialog) => { tell("a dialog"); dialog.dismiss(); });
  page.on("request", (request) => {
    const url = request.url();
    if (url !== pathToFileURL(report).href && !url.startsWith("data:")) tell(`request: ${url.slice(0, 200)}`);
  });
  await page.goto(pathToFileURL(report).href);
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  await check(page, width, tell);
  await context.close();
}
await withPolicy();
await printed();
await browser.close();
for (const line of wrong) console.log(line);
process.exit(wrong.length > 0 ? 1 : 0);

async function check(page, width, tell) {
  const open = () => page.evaluate(() => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
  for (const state of ["closed", "open"]) {
    const outside = await page.evaluate((width) => {
      const found = [];
      if (document.documentElement.scrollWidth > width) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
      for (const element of document.body.querySelectorAll("*")) {
        // What is in a box that scrolls may be wider than the page. The box may not.
        if (element.parentElement.closest(".scroll") || element.closest("svg") || element.matches(".skip")) continue;
        const { left, right } = element.getBoundingClientRect();
        if (right > width + 0.5 || left < -0.5) found.push(`outside: ${element.tagName} ${element.className} to ${right}`);
      }
      return found.slice(0, 5);
    }, width);
    outside.forEach((what) => tell(`${state}: ${what}`));
    if (state === "closed") await open();
  }
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  for (const { id, help, nodes } of violations) {
    tell(`axe: ${id}: ${help}: ${nodes.slice(0, 2).map((node) => node.html.slice(0, 150)).join(" | ")}`);
  }
  await tabs(page, tell);
}

// Tab goes through what can be used in the order in which it is seen, and everything that has the focus shows it.
async function tabs(page, tell) {
  const all = await page.evaluate(() => {
    document.activeElement?.blur();
    const usable = [...document.querySelectorAll("a[href], summary, [tabindex='0']")];
    usable.forEach((one, at) => { one.dataset.at = at; });
    return usable.length;
  });
  let last = -1;
  for (let count = 0; count < Math.min(all, 60); count += 1) {
    await page.keyboard.press("Tab");
    const { at, outline } = await page.evaluate(() => {
      const one = document.activeElement;
      return { at: Number(one.dataset.at ?? -1), outline: getComputedStyle(one).outlineStyle };
    });
    if (at !== last + 1) return tell(`tab ${count} goes to ${at} after ${last}`);
    if (outline === "none") return tell(`tab ${count}: the focus is not seen`);
    last = at;
  }
}

// With its own policy in force, nothing in the page is refused: it has nothing that would be.
async function withPolicy() {
  const page = await (await browser.newContext()).newPage();
  page.on("console", (message) => wrong.push(`policy: ${message.text()}`));
  await page.goto(pathToFileURL(report).href);
  await page.waitForTimeout(100);
  const paper = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--paper")).catch(String);
  if (!paper.trim().startsWith("#")) wrong.push(`policy: the style does not apply: ${paper}`);
}

// On paper everything is open, and nothing is cut.
async function printed() {
  const page = await (await browser.newContext({ viewport: { width: 718, height: 1000 } })).newPage();
  await page.goto(pathToFileURL(report).href);
  await page.emulateMedia({ media: "print" });
  const closed = await page.evaluate(() => [...document.querySelectorAll("details > :not(summary)")]
    .filter((one) => one.getBoundingClientRect().height === 0).length);
  if (closed > 0) wrong.push(`print: ${closed} closed`);
  const wide = await page.evaluate(() => [...document.querySelectorAll(".scroll")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => `${one.getAttribute("aria-label")} ${one.scrollWidth}`));
  wide.forEach((what) => wrong.push(`print: cut: ${what}`));
  const pdf = await page.pdf({ path: pictures ? `${pictures}/print.pdf` : undefined, format: "A4", printBackground: true });
  if (pdf.length < 1000 || pdf.subarray(0, 5).toString() !== "%PDF-") wrong.push("print: no PDF");
}
