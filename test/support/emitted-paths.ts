/** Files of the base that tests edit, whatever they contain: most tests name emitted paths only here. */
export const clock = 'src/process/clock.ts';
export const random = 'src/process/random.ts';

/** A file that each database has. */
export const connect = 'src/db/connect.ts';

/** The template of a file of the base, below the repository. */
export function baseTemplate(path: string): string {
  return `templates/base/files/${path}`;
}
