import { camel } from '../../src/plan/list-context.js';
import type { Place } from './place.js';

/** The files of a feature that does nothing yet, by path below its folder. It compiles, and its test passes. */
export function featureFiles({ name, group }: Place, order: number): Map<string, string> {
  const title = titleOf(name);
  const source = `files/src/features/${name}`;
  return new Map([
    ['layer.json', layerJson({ title, hint: title, group, default: group !== 'internal', order })],
    ['package.json', packageJson(name)],
    ['env.example', ''],
    [
      `${source}/index.ts`,
      `import type { Route } from '../../http/route.js';

export const ${camel(name)}Routes: Route[] = [];
`,
    ],
    [
      `${source}/${name}.test.ts`,
      `import { expect, it } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { startTestService } from '../../../test/service.js';

it('answers 404 as long as there is no route', async () => {
  const service = await startTestService();
  const { status } = await nativeClient(service).get('/${name}');
  expect(status).toBe(404);
});
`,
    ],
    [`files/docs/features/${name}.md`, `# ${title}\n\nCode: \`src/features/${name}/\`.\n`],
  ]);
}

/** `magic-link` → `Magic link` */
export function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function layerJson(says: object): string {
  return `${JSON.stringify(says, null, 2)}\n`;
}

function packageJson(name: string): string {
  const workspace = { name: `@templates/${name}`, private: true, version: '0.0.0', type: 'module' };
  return `${JSON.stringify(workspace, null, 2)}\n`;
}
