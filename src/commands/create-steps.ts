import { packageManagers } from '../answers/package-managers.js';
import { commandLine } from '../answers/summary.js';
import { typedPath } from '../errors.js';
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

/** The command that makes the same project again. */
export function againLine({ questions, request, plan, flags }: Creation): string {
  const skipped = [
    ...(flags.install === false ? ['--no-install'] : []),
    ...(flags.git === false ? ['--no-git'] : []),
  ];
  const directory = asArgument(request.directory);
  return [commandLine(questions, { ...request, directory }, plan.version), ...skipped].join(' ');
}
