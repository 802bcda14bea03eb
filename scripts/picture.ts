import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { screenAfter } from './picture/session.js';
import { screenSvg } from './picture/svg.js';

/**
 * Draws `docs/session.svg`: the screen after a real run of the command line in a real terminal, with every question answered
 * by Enter. It runs in a folder of its own, outside of any repository, so that the commit is shown too.
 */
const program = fileURLToPath(new URL('../bin/create-auth-service.js', import.meta.url));
const picture = fileURLToPath(new URL('../docs/session.svg', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'create-auth-service-'));
try {
  const lines = await screenAfter({
    shown: 'npx create-auth-service',
    command: [process.execPath, program],
    folder,
    questions: [
      'Where should the project go?',
      'Which HTTP framework?',
      'Which database?',
      'How do people sign in?',
      'Which features?',
      'Which providers do people sign in with?',
      'Create it?',
    ],
  });
  mkdirSync(dirname(picture), { recursive: true });
  writeFileSync(
    picture,
    screenSvg(lines, 'create-auth-service asks, installs and says what is next'),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
