import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inReadme, sessionText } from './upgrade-session/readme-part.js';
import { upgradeSession } from './upgrade-session/session.js';

/**
 * Runs a session of editing, upgrading, resolving and continuing in a project that the first release really made, and prints
 * it; with `--write` it is put into the README. Needs `npm run build`.
 */
const readme = fileURLToPath(new URL('../README.md', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'create-auth-service-session-'));
try {
  const text = sessionText(await upgradeSession(folder));
  if (process.argv.includes('--write')) {
    writeFileSync(readme, inReadme(readFileSync(readme, 'utf8'), text));
  } else {
    process.stdout.write(text);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
