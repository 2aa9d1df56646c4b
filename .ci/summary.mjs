// Adds up what the test runners reported (Surefire's XML, Vitest's JSON) and prints it as the last line of a CI run.
import { existsSync, readFileSync, readdirSync } from "node:fs";

const sum = { passed: 0, failed: 0, skipped: 0 };

const reports = "target/surefire-reports";
for (const name of existsSync(reports) ? readdirSync(reports) : []) {
  if (!/^TEST-.*\.xml$/.test(name)) continue;
  const suite = /<testsuite\b[^>]*>/.exec(readFileSync(`${reports}/${name}`, "utf8"))?.[0] ?? "";
  const count = (attribute) => Number(new RegExp(`\\s${attribute}="(\\d+)"`).exec(suite)?.[1] ?? 0);
  const [failed, skipped] = [count("failures") + count("errors"), count("skipped")];
  sum.failed += failed;
  sum.skipped += skipped;
  sum.passed += count("tests") - failed - skipped;
}

const vitest = "frontend/test-results/vitest.json";
if (existsSync(vitest)) {
  const report = JSON.parse(readFileSync(vitest, "utf8"));
  sum.passed += report.numPassedTests;
  sum.failed += report.numFailedTests;
  sum.skipped += report.numPendingTests + report.numTodoTests;
}

console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
