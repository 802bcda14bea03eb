import { readDotEnv } from '../doctor/read-dot-env.js';
import type { Plan } from '../plan/plan-project.js';
import type { Project } from '../project/open-project.js';
import { drawSecret } from '../project/secrets.js';

/** Variables of `.env` that nothing reads any more. */
export function idleVariables(project: Project, { env }: Plan): string[] {
  const { values = {}, variables } = readDotEnv(project);
  const read = new Set(env.map(({ name }) => name));
  const idle = variables.filter(({ name }) => name in values && !read.has(name));
  const names = idle.map(({ name }) => name);
  return names.length > 0
    ? [`Nothing reads them any more, if you do not: ${names.join(', ')}`]
    : [];
}

/** A line for `.env` for each secret that the project does not have yet: `.env` itself is never touched. */
export function suggestedSecrets(project: Project, { env }: Plan): string[] {
  const { values = {}, variables } = readDotEnv(project);
  const known = new Set([...Object.keys(values), ...variables.map(({ name }) => name)]);
  return env
    .filter(({ name, isSecret }) => isSecret && !known.has(name))
    .map(({ name }) => `For .env: ${name}=${drawSecret()}`);
}
