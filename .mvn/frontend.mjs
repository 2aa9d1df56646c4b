// Maven's way into frontend/: `build` installs and builds what changed since the last time, `check` runs every check.
// Both leave a stamp (a hash of what went in) behind, so that a second `spring-boot:run` starts at once.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const frontend = join(root, "frontend");
const notSource = new Set(["node_modules", "dist", "coverage", ".vite", "test-results", "playwright-report"]);

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !notSource.has(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)]))
    .sort();
}

function hashOf(files) {
  const hash = createHash("sha256").update(process.version);
  for (const file of files.filter(existsSync)) hash.update(file).update("\0").update(readFileSync(file));
  return hash.digest("hex");
}

function npm(...args) {
  const windows = process.platform === "win32";
  execFileSync(windows ? "npm.cmd" : "npm", args, { cwd: frontend, stdio: "inherit", shell: windows });
}

function unlessDone(stamp, files, work) {
  const wanted = hashOf(files);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  work();
  writeFileSync(stamp, wanted);
}

function install() {
  // npm empties what it replaces, through a link too: that would be the packages of another checkout.
  const packages = join(frontend, "node_modules");
  if (lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(packages);
  const inputs = ["package.json", "package-lock.json", ".npmrc"].map((name) => join(frontend, name));
  unlessDone(join(frontend, "node_modules", ".muster-installed"), inputs, () => npm("ci", "--no-audit", "--no-fund"));
}

function build() {
  install();
  const inputs = [...filesBelow(frontend), join(root, "openapi", "v1.json")];
  // Kept outside dist/: what lies in dist/ is served.
  const stamp = join(frontend, "node_modules", ".muster-built");
  if (!existsSync(join(frontend, "dist", "index.html"))) writeFileSync(stamp, "");
  unlessDone(stamp, inputs, () => npm("run", "build"));
}

function check() {
  install();
  for (const script of ["lint", "format:check", "typecheck", "test"]) npm("run", "--if-present", script);
}

const work = { build, check }[process.argv[2]];
if (!work) throw new Error("usage: node .mvn/frontend.mjs build|check");
try {
  work();
} catch (failure) {
  console.error(`frontend: ${failure.message}`);
  process.exit(1);
}
