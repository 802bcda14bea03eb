import { allEdits } from './all-edits.js';

const beginning = '<!-- What follows is made by `npm run corpus -- --write`. -->\n';

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

/** The page with the table of edits and what became of them. */
export function withTable(page: string): string {
  const [head = ''] = page.split(beginning);
  const rows = allEdits.map(({ team, template, outcomes }) => {
    const [[path = '', outcome = ''] = []] = Object.entries(outcomes);
    return `| ${team} | ${template} | \`${path}\` | ${meaning[outcome]} |`;
  });
  return [
    head + beginning,
    `## ${allEdits.length} edits and what becomes of them\n`,
    'Each is made in a project that release 0.1.0 emitted, upgraded by the command to a release that changes the same places, and',
    'held to this table by `test/corpus.test.ts`; what waits is decided, then all of it is type-checked, linted and tested.\n',
    '| the team … | the template … | file | comes out |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
