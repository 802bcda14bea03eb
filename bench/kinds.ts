/** What a measured service stands on. */
export interface Kind {
  framework: 'express' | 'fastify' | 'hono';
  database: 'sqlite' | 'postgres' | 'mysql';
}

/** What everything is measured on that neither framework nor database changes. */
export const FIRST: Kind = { framework: 'express', database: 'sqlite' };

/** Each framework, and each database beside the first one. */
export const KINDS: Kind[] = [
  FIRST,
  { framework: 'fastify', database: 'sqlite' },
  { framework: 'hono', database: 'sqlite' },
  { framework: 'express', database: 'postgres' },
  { framework: 'express', database: 'mysql' },
];

interface Goals {
  me: number;
  refresh: number;
  login: number;
  p99: number;
}

/** Shares of the bare framework's hello, of the least that a refresh must do, of raw bcrypt; ms beside 16 logins. */
const GOALS: Record<Kind['framework'], Goals> = {
  express: { me: 0.9, refresh: 0.85, login: 0.97, p99: 10 },
  fastify: { me: 0.6, refresh: 0.7, login: 0.97, p99: 5 },
  hono: { me: 0.55, refresh: 0.55, login: 0.97, p99: 5 },
};

/** Undefined for a database on a server: the way to it is not the service's to shorten. */
export function goalsOf({ framework, database }: Kind): Goals | undefined {
  return database === FIRST.database ? GOALS[framework] : undefined;
}

export function nameOf({ framework, database }: Kind): string {
  return `${framework}-${database}`;
}

/** How a table names it: a database only where it is not the first. */
export function titleOf({ framework, database }: Kind): string {
  return database === FIRST.database ? framework : `${framework} on ${database}`;
}

/** A goal's two cells: nothing to reach where there is none. */
export function reached(share: number, goal: number | undefined) {
  if (goal === undefined) return { goal: '' };
  return { goal: `≥ ${(goal * 100).toFixed(1)} %`, isMet: share >= goal };
}
