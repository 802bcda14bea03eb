import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';

/**
 * Prints the tests that a Vitest report skipped, and `N passed, N failed`; exits with 1 unless all passed. A file that failed
 * without a failed test, in a hook or while loading, counts as one, and so does a run that failed for a reason
 * outside all files, or left no report.
 */
const reportFile = z.object({
  success: z.boolean(),
  testResults: z.array(
    z.object({
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
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
const skipped = testResults
  .flatMap(({ assertionResults }) => assertionResults)
  .filter(({ status }) => status !== 'passed' && status !== 'failed');
for (const { fullName } of skipped) console.log(`Skipped: ${fullName}`);
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || skipped.length > 0 || passed === 0) process.exitCode = 1;
