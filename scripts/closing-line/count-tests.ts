import * as z from 'zod/mini';

/** What vitest's JSON reporter writes, as far as it is needed here. */
export const reportFile = z.object({
  success: z.boolean(),
  testResults: z.array(
    z.object({
      status: z.string(),
      assertionResults: z.array(z.object({ title: z.string(), status: z.string() })),
    }),
  ),
});

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Those that say in their title that they may be left out. */
  leftOut: string[];
}

const MAY_BE_LEFT_OUT = /, if it runs$/;

/**
 * Counts the tests of a report. A file that failed without a failed test, in a hook or while it was loaded, counts as a
 * failure of its own, and so does a run that failed for a reason outside of all files.
 */
export function countTests({ success, testResults }: z.infer<typeof reportFile>): Counts {
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = statuses.filter(({ status }) => status === 'passed').length;
  const failedTests = statuses.filter(({ status }) => status === 'failed').length;
  const failedFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
  ).length;
  const failed = failedTests + failedFiles;
  const notRun = statuses.filter(({ status }) => status !== 'passed' && status !== 'failed');
  const titles = notRun.map(({ title }) => title);
  const leftOut = titles.filter((title) => MAY_BE_LEFT_OUT.test(title));
  return {
    passed,
    failed: success || failed > 0 ? failed : 1,
    skipped: titles.length - leftOut.length,
    leftOut,
  };
}
