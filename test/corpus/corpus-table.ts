import { allEdits } from './all-edits.js';
import { combinations } from './combinations.js';
import { fastifyShell, honoShell } from './edits/framework-shells.js';
import type { TeamEdit } from './team-edit.js';

const beginning = '<!-- What follows is made by `npm run corpus`. -->\n';

const meaning: Record<string, string> = {
  unchanged: 'stays as the team has it',
  updated: 'the template’s',
  merged: 'merged: both',
  moved: 'moved with the edit',
  added: 'added',
  removed: 'removed',
  kept: 'kept as the team has it, told',
  deleted: 'stays deleted, told',
  conflict: 'conflict, shown',
  beside: 'kept, the template’s beside',
};

/** The page with the table of edits and their outcomes. */
export function withTable(page: string): string {
  const [head = ''] = page.split(beginning);
  const shells = [...honoShell, ...fastifyShell];
  const names = combinations.map(({ name }) => name);
  return [
    head + beginning,
    `## ${allEdits.length} edits and what becomes of them\n`,
    'Each is made in a project with everything, which is upgraded to a made-up release that changes the same places, and held to this',
    'table by `test/corpus.test.ts`; then as many at once as touch no file in common, by the command: what waits is decided, and all of',
    'it is type-checked, linted and tested.\n',
    ...tableOf(allEdits),
    '',
    'Projects of other choices carry as many of these edits at once as touch no file in common, and those below, and are held',
    `to the same (\`test/corpus-combinations.test.ts\`): ${names.join('; ')}.\n`,
    ...tableOf(shells),
    '',
  ].join('\n');
}

function tableOf(edits: TeamEdit[]): string[] {
  const rows = edits.map(({ team, template, outcomes }) => {
    const [[path = '', outcome = ''] = []] = Object.entries(outcomes);
    return `| ${team} | ${template} | \`${path}\` | ${meaning[outcome]} |`;
  });
  return ['| the team … | the template … | file | comes out |', '|---|---|---|---|', ...rows];
}
