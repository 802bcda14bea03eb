import { allEdits } from './all-edits.js';
import { fastifyShell, honoShell } from './edits/framework-shells.js';
import type { TeamEdit } from './team-edit.js';

/** A service of other choices than the one of the corpus, and the edits that its team makes. */
export interface Combination {
  name: string;
  flags: string[];
  edits: TeamEdit[];
  tests: string[];
}

/** The edits of the corpus, except those whose files these choices do not have. */
function corpusWithout(...teams: string[]): TeamEdit[] {
  const unknown = teams.filter((each) => !allEdits.some(({ team }) => team === each));
  if (unknown.length > 0) throw new Error(`no such edit: ${unknown}`);
  return allEdits.filter(({ team, isSweeping }) => !teams.includes(team) && !isSweeping);
}

export const combinations: Combination[] = [
  {
    name: 'Express and PostgreSQL with two methods',
    flags: [
      ...['--framework', 'express', '--database', 'postgres'],
      ...['--methods', 'password,magic-link'],
      ...['--features', 'registration,email-change,device-notice'],
    ],
    edits: corpusWithout(),
    tests: ['src/users/users.test.ts'],
  },
  {
    name: 'Hono and PostgreSQL with three methods',
    flags: [
      ...['--framework', 'hono', '--database', 'postgres'],
      ...['--methods', 'password,magic-link,totp'],
      ...['--features', 'registration,email-change,device-notice'],
    ],
    edits: [...honoShell, ...corpusWithout('adds a route in app.ts')],
    tests: ['src/users/users.test.ts'],
  },
  {
    name: 'Fastify and MySQL with everything',
    flags: ['--framework', 'fastify', '--database', 'mysql'],
    edits: [...fastifyShell, ...corpusWithout('adds a route in app.ts')],
    tests: [],
  },
];
