import { existsSync, readFileSync } from 'node:fs';
import { countTests, reportFile } from './closing-line/count-tests.js';

/** Prints `N passed, N failed` for a report of vitest; exit 1 unless all passed and none was skipped but those that may be. */
const path = process.argv[2] ?? '';
const counts = existsSync(path)
  ? countTests(reportFile.parse(JSON.parse(readFileSync(path, 'utf8'))))
  : { passed: 0, failed: 1, skipped: 0, leftOut: [] };
for (const title of counts.leftOut) console.log(`not run: ${title}`);
if (counts.skipped > 0) console.log(`${counts.skipped} skipped`);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
if (counts.failed > 0 || counts.skipped > 0 || counts.passed === 0) process.exitCode = 1;
