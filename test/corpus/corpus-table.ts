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
  kept: 'kept as the team has it, reported',
  deleted: 'stays deleted, reported',
  conflict: 'conflict, reported',
  beside: 'kept, the template’s beside it',
};

/** The page with the table of edits and their outcomes. */
export function withTable(page: string): string {
  const [head = ''] = page.split(beginning);
  const shells = [...honoShell, ...fastifyShell];
  const names = combinations.map(({ name }) => name);
  return [
    head + beginning,
    `## ${allEdits.length} edits and their outcomes\n`,
    'Each edit is made in a project with everything, which is then upgraded to an invented release that changes the same places;',
    '`test/corpus.test.ts` enforces this table. The command also upgrades projects that have many of these edits at once, each in files of its own:',
    'what is pending is resolved, and the result is type-checked, linted and tested.\n',
    ...tableOf(allEdits),
    '',
    'Projects with other choices have many of these edits at once too, and those below, with the same outcomes',
    `(\`test/corpus-combinations.test.ts\`): ${names.join('; ')}.\n`,
    ...tableOf(shells),
    '',
  ].join('\n');
}

function tableOf(edits: TeamEdit[]): string[] {
  const rows = edits.map(({ team, template, outcomes }) => {
    const [[path = '', outcome = ''] = []] = Object.entries(outcomes);
    return `| ${team} | ${template} | \`${path}\` | ${meaning[outcome]} |`;
  });
  return ['| the team … | the template … | file | outcome |', '|---|---|---|---|', ...rows];
}
