import * as z from 'zod/mini';
import { run } from '../project/run.js';
import type { Examined } from './examine.js';
import { type Finding, note, ok, problem } from './finding.js';

const script = 'check';

/** What the project's own `check` prints; see the emitted `src/commands/check.ts`. */
const printed = z.object({
  findings: z.array(z.object({ about: z.string(), stops: z.boolean(), message: z.string() })),
});

/**
 * Asks the service itself: its rules for its variables, its database, its migrations. Only it knows them, and the team
 * may have changed them.
 */
export async function checkService({
  project,
  packageJson,
  packageManager,
}: Examined): Promise<Finding[]> {
  const about = 'service';
  if (!packageJson.scripts?.[script]) {
    const message = `package.json has no script "${script}": variables and database were not looked at.`;
    return [note(about, message, 'create-auth-service upgrade brings it.')];
  }
  const args = ['run', script, '--', '--json'];
  const { stdout, output } = await run(packageManager, args, { cwd: project.root });
  const answer = answerIn(stdout);
  if (!answer) {
    const lastLines = output.trim().split('\n').slice(-5).join('\n');
    return [
      problem(
        about,
        `"${script}" does not answer:\n${lastLines}`,
        `${packageManager} run ${script}`,
      ),
    ];
  }
  return answer.map(({ about: what, stops, message }) =>
    stops
      ? problem(what, message, remedies[what] ?? `${packageManager} run ${script}`)
      : ok(what, message),
  );
}

const remedies: Record<string, string> = {
  configuration: 'Correct it in .env; .env.example says what each variable means.',
  database: 'Start it, or correct its address in .env.',
  migrations: 'Run them: migrate up.',
};

/** Package managers print lines of their own around it. */
function answerIn(stdout: string) {
  const line = stdout.split('\n').find((each) => each.startsWith('{"findings":'));
  if (line === undefined) return undefined;
  const checked = printed.safeParse(JSON.parse(line));
  return checked.success ? checked.data.findings : undefined;
}
