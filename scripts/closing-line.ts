import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';

/**
 * Prints `N passed, N failed` for a Vitest report; exits with 1 unless all passed and none was skipped. A file that failed
 * without a failed test, in a hook or while loading, counts as one, and so does a run that failed for a reason
 * outside all files, or left no report.
 */
const reportFile = z.object({
  success: z.boolean(),
  testResults: z.array(
    z.object({
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
});

const path = process.argv[2] ?? '';
const { success, testResults } = existsSync(path)
  ? reportFile.parse(JSON.parse(readFileSync(path, 'utf8')))
  : { success: false, testResults: [] };
const outcomes = testResults.flatMap(({ status, assertionResults }) => {
  const ofTests = assertionResults.map((result) => result.status);
  return status === 'failed' && !ofTests.includes('failed') ? [...ofTests, 'failed'] : ofTests;
});
const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
const passed = count('passed');
const failed = success ? count('failed') : Math.max(1, count('failed'));
const skipped = outcomes.length - count('passed') - count('failed');
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || skipped > 0 || passed === 0) process.exitCode = 1;
