import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { listensOn, type Service, untilListening } from './service.js';

/**
 * Uses the server that runs on the port, else installs and starts one.
 * @throws Error if it cannot be used, installed or started
 */
export async function ensure(service: Service, port = service.port): Promise<void> {
  const { name } = service;
  if (await listensOn(port)) {
    await service.check(port);
    console.log(`${name}: runs on 127.0.0.1:${port}`);
    return;
  }
  if (!service.isInstalled()) await install(service);
  const folder = mkdtempSync(join(tmpdir(), `${service.unit}-`));
  console.log(`${name}: started on 127.0.0.1:${port}, data in ${folder}`);
  await service.start(folder, port);
  await untilListening(service, port);
  await service.check(port);
}

async function install({ package: wanted, unit }: Service): Promise<void> {
  const environment = { DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env: environment, stdout: 'inherit', stderr: 'inherit' } as const;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive', '--preserve-env'];
  const run = ([file = '', ...args]: string[]) => execa(file, args, options);
  await run([...sudo, 'apt-get', 'update']);
  await run([...sudo, 'apt-get', 'install', '--yes', '--no-install-recommends', wanted]);
  // With an init system the package has started a server with passwords of its own.
  await run([...sudo, 'systemctl', 'stop', unit]).catch(() => undefined);
}
