// npm's packages: `undust`, which starts the program, and one for each platform, which holds it.
// npm installs the one of the machine and nothing else; no package runs anything at installation.
//
//   node packaging/npm/build.mjs OUT PLATFORM=PROGRAM...
//
// PLATFORM is Node's name of it, such as linux-x64.

import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const [out, ...given] = process.argv.slice(2);
if (!out || given.length === 0) {
  console.error("usage: node packaging/npm/build.mjs OUT PLATFORM=PROGRAM...");
  process.exit(2);
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = readFileSync(join(root, "Cargo.toml"), "utf8");
const [, version] = manifest.match(/^version = "(.+)"$/m);
const [, description] = manifest.match(/^description = "(.+)"$/m);
const common = { version, license: "MIT OR Apache-2.0" };
// npm publishes by trust only what names the repository that it trusts.
const repository = manifest.match(/^repository = "(.+)"$/m)?.[1];
if (repository) common.repository = { type: "git", url: `git+${repository}.git` };

function write(name, files, fields) {
  const folder = join(out, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [to, from] of Object.entries(files)) copyFileSync(from, join(folder, to));
  for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) {
    copyFileSync(join(root, licence), join(folder, licence));
  }
  const described = { name, ...common, ...fields };
  writeFileSync(join(folder, "package.json"), JSON.stringify(described, null, 2) + "\n");
  return folder;
}

const optionalDependencies = {};
for (const pair of given) {
  const [platform, program] = pair.split("=");
  const [os, cpu] = platform.split("-");
  const file = basename(program);
  const folder = write(
    `@undust/${platform}`,
    { [file]: program },
    { description: `The program undust for ${platform}`, os: [os], cpu: [cpu], files: [file] },
  );
  chmodSync(join(folder, file), 0o755);
  optionalDependencies[`@undust/${platform}`] = version;
}
write(
  "undust",
  { "undust.js": join(root, "packaging/npm/undust.js"), "README.md": join(root, "README.md") },
  {
    description,
    keywords: ["crawler", "url", "canonicalization", "deduplication"],
    bin: { undust: "undust.js" },
    files: ["undust.js"],
    engines: { node: ">=18" },
    optionalDependencies,
  },
);
console.log(join(out, "undust"));
