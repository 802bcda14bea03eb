import { packageManagers } from '../answers/package-managers.js';
import type { Plan } from '../plan/plan-project.js';
import type { FileOutcome, TreeChange } from './upgrade-plan.js';

/** What the steps depend on. */
interface Upgraded {
  next: Plan;
  outcomes: FileOutcome[];
  pending: string[];
  /** What happens to the team's own files. */
  changes: TreeChange[];
  /** Variables that the project did not have. */
  newVariables: string[];
}

/** What is left to do after an upgrade, in order: commands as they are typed, the rest in words. */
export function nextSteps(upgraded: Upgraded): string[] {
  const { next, outcomes, pending, changes, newVariables } = upgraded;
  const { install, run } = packageManagers[next.answers.packageManager];
  const scripts = scriptsOf(next);
  const hasNewPackages = changes.some(({ path }) => path === 'package.json');
  const hasNewMigrations = outcomes.some(
    ({ owner, outcome }) => owner === 'frozen' && outcome === 'added',
  );
  return [
    ...(pending.length > 0
      ? ['decide about what is pending, then: create-auth-service upgrade --continue']
      : []),
    ...(hasNewPackages ? [install] : []),
    ...(newVariables.length > 0 ? [`set in .env: ${newVariables.join(', ')}`] : []),
    ...(hasNewMigrations && 'migrate' in scripts ? [`${run} migrate`] : []),
    ...(changes.length > 0 && 'validate' in scripts ? [`${run} validate`] : []),
  ];
}

function scriptsOf({ files }: Plan): object {
  const file = files.find(({ path }) => path === 'package.json');
  const { scripts = {} } = JSON.parse(file?.content.toString() ?? '{}') as { scripts?: object };
  return scripts;
}
