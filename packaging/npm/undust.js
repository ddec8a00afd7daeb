#!/usr/bin/env node
// Runs the program of this platform, which npm installed as an optional dependency.
"use strict";

const { spawnSync } = require("node:child_process");
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

// Signals of a terminal reach the program by themselves; this process outlives it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`undust: ${program}: ${error.message}`);
  process.exit(1);
}
process.exit(signal ? 128 + os.constants.signals[signal] : status);
