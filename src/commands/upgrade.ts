import { checkAll } from '../answers/check.js';
import { answersSchema } from '../answers/schema.js';
import type { Catalog } from '../catalog/catalog.js';
import { UserError } from '../errors.js';
import { planFromTemplates } from '../plan/plan-from-templates.js';
import { readUpgradeInput } from '../project/read-upgrade-input.js';
import { openTerminal } from '../terminal.js';
import { planUpgrade } from '../upgrade/plan-upgrade.js';
import { type ChangeFlags, carryOut, checkChangeFlags } from './carry-out.js';
import { openForChange } from './open-for-change.js';
import { renderAgain } from './render-again.js';

export interface UpgradeFlags extends ChangeFlags {
  continue?: boolean;
  abort?: boolean;
}

/**
 * Brings newer templates into the project around the working directory.
 * @returns the exit code: 2 if somebody has to decide about something
 * @throws UserError if nothing was changed
 */
export async function upgrade(catalog: Catalog, flags: UpgradeFlags): Promise<number> {
  if (flags.continue && flags.abort) throw new UserError('Either --continue or --abort.');
  if ((flags.continue || flags.abort) && flags.dryRun) {
    throw new UserError('--dry-run shows an upgrade: it goes with neither --continue nor --abort.');
  }
  checkChangeFlags(flags);
  if (flags.abort) return (await import('./abort-upgrade.js')).abortUpgrade(flags);
  if (flags.continue) return (await import('./continue-upgrade.js')).continueUpgrade(flags);
  const terminal = openTerminal(flags);
  const project = openForChange(terminal, { isDryRun: flags.dryRun === true });
  const answers = checkAll(answersSchema(catalog), project.manifest.answers);
  const next = await planFromTemplates(catalog, answers);
  const again = () => renderAgain(catalog, project.manifest);
  const plan = await planUpgrade(await readUpgradeInput(project, next, again));
  const title =
    plan.from === plan.to ? `Upgrade to ${plan.to}` : `Upgrade from ${plan.from} to ${plan.to}`;
  return carryOut({ project, plan, title }, flags, terminal);
}
