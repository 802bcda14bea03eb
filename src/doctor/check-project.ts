import { checkAdvisories } from './check-advisories.js';
import { checkDrift } from './check-drift.js';
import { checkGit } from './check-git.js';
import { checkRecord } from './check-record.js';
import { checkRuntime } from './check-runtime.js';
import { checkSecrets } from './check-secrets.js';
import { checkService } from './check-service.js';
import { checkVariables } from './check-variables.js';
import type { Examined } from './examine.js';
import type { Finding } from './finding.js';

/**
 * Everything that is known to go wrong with a project, in the order in which people should care.
 * @param seconds that the service may take to answer
 */
export async function checkProject(
  examined: Examined,
  { isServiceAsked, seconds }: { isServiceAsked: boolean; seconds: number },
): Promise<Finding[]> {
  return [
    ...(await checkRuntime(examined)),
    ...checkSecrets(examined),
    ...checkVariables(examined),
    ...(await checkGit(examined)),
    ...(isServiceAsked ? await checkService(examined, seconds) : []),
    ...checkAdvisories(examined),
    ...checkRecord(examined),
    ...checkDrift(examined),
  ];
}
