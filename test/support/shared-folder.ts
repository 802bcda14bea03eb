import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that the tests of a file share, removed after the last one. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'create-auth-service-shared-'));
  folders.push(folder);
  return folder;
}

/** Creates a value on first use of its key, and returns it again afterwards. */
export function once<Made>(make: (key: string) => Made): (key: string) => Made {
  const made = new Map<string, Made>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}
