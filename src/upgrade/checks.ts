import { leavesProject } from './leaves-project.js';

// Plain functions for the manifest, which each command reads: a schema takes twenty times as long for its hundreds of lines.

type Check = (value: unknown) => boolean;

/** What the values of an object's keys have to be. */
export type Checks<Checked> = Record<keyof Checked, Check>;

/** The first key whose value is wrong; undefined if all are right. */
export function wrongKey<Checked>(value: object, checks: Checks<Checked>): string | undefined {
  for (const key in checks) if (!checks[key](Reflect.get(value, key))) return key;
  return undefined;
}

/** True for the path of a file of the project. */
export function isPath(value: unknown): boolean {
  return typeof value === 'string' && !leavesProject(value);
}

export function isText(pattern: RegExp): Check {
  return (value) => typeof value === 'string' && pattern.test(value);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
