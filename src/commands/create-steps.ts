import { packageManagers } from '../answers/package-managers.js';
import { flagOf } from '../answers/questions.js';
import { quoted, typedPath } from '../quoting.js';
import { asArgument } from './command-names.js';
import type { Creation } from './create-report.js';

/** What to type in the new project, in order. */
export function nextSteps(
  { request, plan }: Creation,
  isInstalled: boolean,
  envLacks: string[] = [],
): string[] {
  const { directory, answers } = request;
  const { install } = packageManagers[answers.packageManager];
  return [
    ...(directory === '.' ? [] : [`cd ${typedPath(directory)}`]),
    ...(isInstalled ? [] : [install]),
    ...(envLacks.length > 0
      ? [`set in .env: ${envLacks.join(', ')}; for each: openssl rand -hex 32`]
      : []),
    ...plan.nextSteps,
  ];
}

/** The command that makes the same project again without asking anything. */
export function againLine({ questions, request, plan, flags }: Creation): string {
  const { directory, answers } = request;
  const answered = questions.filter(({ key }) => answers[key] !== undefined);
  const given = answered.flatMap((question) => {
    const values = [answers[question.key]].flat();
    return [flagOf(question), quoted(values.join(',') || 'none')];
  });
  const skipped = ['install', 'git'].filter((step) => flags[step] === false);
  return [
    `${packageManagers[answers.packageManager].once} create-auth-service@${plan.version}`,
    quoted(asArgument(directory)),
    ...given,
    ...skipped.map((step) => `--no-${step}`),
  ].join(' ');
}
