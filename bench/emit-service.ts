import { rm } from 'node:fs/promises';
import { execa } from 'execa';
import { root, serviceFolder } from './places.js';

/** The emitted service, built as for production. */
export async function emitService(): Promise<void> {
  await rm(serviceFolder, { recursive: true, force: true });
  await execa(
    'node',
    ['bin/create-auth-service.js', serviceFolder, '--yes', '--no-install', '--no-git'],
    {
      cwd: root,
    },
  );
  await buildService(serviceFolder);
}

/** `npm run build`; the packages are found in the repository that the folder lies in. */
export async function buildService(folder: string): Promise<void> {
  await execa('npm', ['run', 'build'], { cwd: folder });
}
