import { renameSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { writeFiles } from './support/files.js';
import { madeProject } from './support/made-project.js';
import { layer } from './support/small-package.js';
import { onlyRing, templates } from './support/word-world.js';

const plain = "import { plain } from './http/plain.js';\n\n";
const app = `${plain}export const app = [plain];\n`;
const greeting = `${app}export const greeting = 1;\n`;
const about = { title: 'Guests', group: 'feature', order: 1, requires: ['word'] };

/** `guests` needs more of a file of the team. */
const withGreeting = {
  ...templates,
  'base/files/src/app.ts': app,
  'base/files/src/http/plain.ts': 'export const plain = 1;\n',
  'base/files/src/http/other.ts': 'export const other = 1;\n',
  ...layer('features/guests', { ...about, replaces: ['src/app.ts'] }),
  'features/guests/files/src/app.ts': greeting,
  'features/guests/files/src/guests.ts': `${plain}export const guests = [plain];\n`,
};

/** What a formatter with other settings makes of it. */
const formatted = (text: string) => text.replaceAll("'", '"').replaceAll(';', '');
/** What the team makes of it when it renames the folder. */
const adapted = (text: string) => text.replace('./http/', './web/');

async function projectWith(edit: (text: string) => string) {
  const project = await madeProject(withGreeting, onlyRing);
  project.edit('src/app.ts', edit);
  return project;
}

async function movedProject(edit: (text: string) => string) {
  const project = await projectWith((text) => edit(adapted(text)));
  renameSync(project.at('src/http'), project.at('src/web'));
  return project;
}

describe('a file that is the team’s', () => {
  test('gets what a new layer needs of it as long as nobody has edited it', async () => {
    const project = await projectWith((text) => text);
    expect((await project.inside(['add', 'guests'])).exitCode).toBe(0);
    expect(project.read('src/app.ts')).toBe(greeting);
    expect((await project.inside(['remove', 'guests'])).exitCode).toBe(0);
    expect(project.read('src/app.ts')).toBe(app);
  });

  test('is left alone once it was edited, and the text lies beside it', async () => {
    const project = await projectWith((text) => `${text}// ours\n`);
    const { exitCode, stdout } = await project.inside(['add', 'guests']);
    expect(exitCode).toBe(2);
    expect(stdout).toContain(
      'src/app.ts: it is yours: copy what the new choice needs from the .template',
    );
    expect(project.read('src/app.ts')).toBe(`${app}// ours\n`);
    expect(project.read('src/app.ts.template')).toBe(greeting);
  });

  test('is no edited one if they have only formatted it', async () => {
    const project = await projectWith(formatted);
    const { exitCode, stdout } = await project.inside(['add', 'guests']);
    expect({ exitCode, app: project.read('src/app.ts') }).toEqual({ exitCode: 0, app: greeting });
    expect(stdout).toContain('src/app.ts: you had only formatted it');
    expect(stdout).toContain('run your formatter: ');
  });

  test.each([
    ['only', (text: string) => text],
    ['and its format', formatted],
  ])(
    'is no edited one if its imports follow a folder that they have moved, %s',
    async (_, edit) => {
      const project = await movedProject(edit);
      expect((await project.inside(['add', 'guests'])).exitCode).toBe(0);
      expect(project.read('src/app.ts')).toBe(adapted(greeting));
      const { exitCode, stdout } = await project.inside(['remove', 'guests']);
      expect({ exitCode, app: project.read('src/app.ts') }).toEqual({
        exitCode: 0,
        app: adapted(app),
      });
      expect(stdout).not.toContain('formatted');
    },
  );
});

describe('what lies beside a file imports what the team has moved from where it is', () => {
  test('if the file is the team’s', async () => {
    const project = await movedProject((text) => `${text}// ours\n`);
    expect((await project.inside(['add', 'guests'])).exitCode).toBe(2);
    expect(project.read('src/app.ts.template')).toBe(adapted(greeting));
  });

  test('if the file is in the place of a new one', async () => {
    const project = await movedProject((text) => text);
    writeFiles(project.folder, { 'src/guests.ts': '// ours\n' });
    expect((await project.inside(['add', 'guests'])).exitCode).toBe(2);
    expect(project.read('src/guests.ts.template')).toContain("from './web/plain.js'");
  });
});
