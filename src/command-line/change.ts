import type { Command } from 'commander';
import { answerFlags } from '../answers/flags.js';
import { inOrder, questionsFrom } from '../answers/questions.js';
import type { Catalog } from '../catalog/catalog.js';
import { withChangeFlags } from './change-flags.js';
import { withOutputFlags } from './output-flags.js';

const examples = `
Examples, with names from create-auth-service list:
  create-auth-service change --framework <name>
  create-auth-service change --database <name> --dry-run --diff
  create-auth-service change --package-manager pnpm
`;

/** What a project has several of is a matter of `add` and `remove`. */
const changed = ['--name', '--framework', '--database', '--package-manager'];

export function declareChange(root: Command, catalog: Catalog): void {
  const command = withChangeFlags(withOutputFlags(root.command('change')))
    .description('change the framework, the database, the package manager or the name')
    .addHelpText('after', examples);
  for (const flag of answerFlags(inOrder(questionsFrom(catalog)))) {
    if (changed.includes(flag.long ?? '')) command.addOption(flag);
  }
  command.action(async (flags) => {
    process.exitCode = await (await import('../commands/change.js')).change(catalog, flags);
  });
}
