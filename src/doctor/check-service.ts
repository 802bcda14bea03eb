import { packageManagers } from '../answers/package-managers.js';
import * as z from '../packages/zod.js';
import { type Ended, run } from '../project/run.js';
import type { Examined } from './check-project.js';
import { missingPackages, seeBefore } from './check-runtime.js';
import { type Finding, note, ok, problem } from './finding.js';

const script = 'check';
const about = 'service';

/** The output of the project's own `check`; see the emitted `src/commands/check.ts`. */
const printed = z.object({
  findings: z.array(
    z.object({
      about: z.string(),
      stops: z.boolean(),
      isWarning: z.optional(z.boolean()),
      message: z.string(),
    }),
  ),
});

/**
 * Asks the service itself about its variables, its database and its migrations. Only it knows their rules, and the team
 * may have changed them.
 * @param seconds how long it may take
 */
export async function checkService(examined: Examined, seconds: number): Promise<Finding[]> {
  const { project, packageJson, packageManager } = examined;
  if (!packageJson) return [];
  if (!packageJson.scripts?.[script]) {
    const message = `package.json has no script "${script}": variables and database were not checked.`;
    return [note(about, message, seeBefore)];
  }
  const args = ['run', script, '--', '--json'];
  const ended = await run(packageManager, args, { cwd: project.root, seconds });
  const answer = answerIn(ended.stdout.toString());
  if (!answer) return [withoutAnswer(ended, examined, seconds)];
  return answer.map(({ about: what, stops, isWarning, message }) => {
    if (!stops && !isWarning) return ok(what, message);
    const repairing = what === 'migrations' ? 'migrate' : script;
    const remedy = remedies[what] ?? `${packageManager} run ${repairing}`;
    return (stops ? problem : note)(what, message, remedy);
  });
}

/** Why there is no answer. Missing packages are reported by the check of packages. */
function withoutAnswer(
  { exitCode, output, isTimedOut }: Ended,
  examined: Examined,
  seconds: number,
): Finding {
  const command = `${examined.packageManager} run ${script}`;
  const { setup, install } = packageManagers[examined.packageManager];
  if (isTimedOut) {
    const message = `"${script}" did not answer within ${seconds} seconds and was stopped.`;
    const remedy = `See where it hangs: ${command}. If it needs more: npx create-auth-service doctor --wait 120`;
    return problem(about, message, remedy);
  }
  if (exitCode === undefined) {
    const message = `Variables and database were not checked: ${examined.packageManager} is not installed.`;
    return note(about, message, setup);
  }
  if (missingPackages(examined).length > 0) {
    return note(about, 'Variables and database were not checked: packages are missing.', install);
  }
  const told = output.split('\n').filter((line) => !/^\s*(at |Node\.js v|$)/.test(line));
  const lastLines = told.slice(-5).join('\n');
  return problem(about, `"${script}" does not answer:\n${lastLines}`, command);
}

const remedies: Record<string, string> = {
  configuration: 'Correct it in .env; .env.example says what each variable means.',
  database: 'Start it, create it, or correct its address in .env.',
  history: 'Restore the files, for example from git.',
};

/** Finds the answer in the output: package managers print lines of their own around it. */
function answerIn(stdout: string) {
  const line = stdout.split('\n').find((each) => each.startsWith('{"findings":'));
  if (line === undefined) return undefined;
  const checked = printed.safeParse(JSON.parse(line));
  return checked.success ? checked.data.findings : undefined;
}
