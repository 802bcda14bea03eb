import { type PackageManagerName, packageManagers } from '../answers/package-managers.js';
import type { Migration } from '../upgrade/data-migrations.js';
import type { UpgradePlan } from '../upgrade/upgrade-plan.js';

/** A plan that also brings a migration which no template has. It is the team's own from the first moment on. */
export function withMigration(
  plan: UpgradePlan,
  { path, text }: Migration,
  note: string,
  packageManager: PackageManagerName,
): UpgradePlan {
  const after = { content: Buffer.from(text), mode: 0o644 };
  const migrate = `${packageManagers[packageManager].run} migrate`;
  return {
    ...plan,
    changes: [{ path, before: undefined, after }, ...plan.changes],
    outcomes: [...plan.outcomes, { id: path, path, owner: 'frozen', outcome: 'added', note }],
    nextSteps: plan.nextSteps.includes(migrate) ? plan.nextSteps : [...plan.nextSteps, migrate],
  };
}
