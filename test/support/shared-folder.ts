import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder for what the tests of a file share, removed after the last of them. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'create-auth-service-shared-'));
  folders.push(folder);
  return folder;
}

/** Makes what is asked for once; afterwards, for the same key, gives what was made. */
export function once<Made>(make: (key: string) => Made): (key: string) => Made {
  const made = new Map<string, Made>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}
