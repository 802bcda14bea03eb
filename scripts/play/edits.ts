import { contentOf, isSame, projectFiles } from './project-files.js';
import type { Rendering } from './render.js';

/** What an edit in a project means for the templates. */
export type Edit = { path: string } & (
  | { is: 'home'; template: string; content: Buffer }
  | { is: 'conflict'; template: string }
  | { is: 'rendered'; template: string }
  | { is: 'merged' }
  | { is: 'deleted'; template: string | undefined }
  | { is: 'new'; content: Buffer }
);

/**
 * Every edit made in the folder since it was rendered, sorted by path. What the templates say already is none.
 * @param pristine what was rendered
 * @param rendering what would be rendered now
 */
export function findEdits(
  folder: string,
  pristine: Map<string, Buffer>,
  rendering: Rendering,
): Edit[] {
  const paths = new Set([...projectFiles(folder), ...pristine.keys()]);
  return [...paths].sort().flatMap((path) => {
    const edit = editOf(path, contentOf(folder, path), pristine.get(path), rendering);
    return edit ?? [];
  });
}

function editOf(
  path: string,
  here: Buffer | undefined,
  before: Buffer | undefined,
  { plan, templates }: Rendering,
): Edit | undefined {
  const now = plan.files.find((file) => file.path === path)?.content;
  if (isSame(here, before) || isSame(here, now)) return undefined;
  const template = templates.get(path);
  if (!here) return { path, is: 'deleted', template: template?.from };
  if (!now) return { path, is: 'new', content: here };
  if (!template) return { path, is: 'merged' };
  if (template.isList) return { path, is: 'rendered', template: template.from };
  if (!isSame(now, before)) return { path, is: 'conflict', template: template.from };
  return { path, is: 'home', template: template.from, content: here };
}
