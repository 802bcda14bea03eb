import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages, runAsRoot } from './debian.js';
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
  await service.prepare?.();
  const folder = mkdtempSync(join(service.parentFolder ?? tmpdir(), `${service.unit}-`));
  console.log(`${name}: started on 127.0.0.1:${port}, data in ${folder}`);
  await service.start(folder, port);
  await untilListening(service, port);
  await service.check(port);
}

async function install({ package: wanted, unit }: Service): Promise<void> {
  await installPackages([wanted]);
  // With an init system the package has started a server with passwords of its own.
  await runAsRoot(['systemctl', 'stop', unit]).catch(() => undefined);
}
