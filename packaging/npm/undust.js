#!/usr/bin/env node
// Runs the program of this platform, which npm installed as an optional dependency.
"use strict";

const { spawn } = require("node:child_process");
const os = require("node:os");

const name = `@undust/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "undust.exe" : "undust";

let program;
try {
  program = require.resolve(`${name}/${file}`);
} catch {
  console.error(
    `undust: the package ${name} is not installed: either undust is not built for this platform, ` +
      "or npm ran with --omit=optional",
  );
  process.exit(1);
}

function fail(error) {
  console.error(`undust: ${program}: ${error.message}`);
  process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends it to both; the program decides what it means.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", fail);
child.on("exit", (code, signal) => {
  process.exit(signal ? 128 + os.constants.signals[signal] : code);
});
