import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MODULES, serviceFolder } from './places.js';
import { environmentOf } from './service.js';

/** What the bench uses of a service; its own types are those of another program, emitted first. */
export interface OwnServices {
  parts: {
    tools: { run(provider: string, job: object): Promise<{ error: string | undefined }> };
  };
}

interface OwnService {
  url: string;
  services: OwnServices;
  close(): Promise<void>;
}

/** A module of the service. */
export function loadOwn<Module>(path: string): Promise<Module> {
  return import(pathToFileURL(join(serviceFolder, MODULES, 'src', path)).href);
}

/** The service in this process, for what no request can measure. */
export async function openOwnService(name: string): Promise<OwnService> {
  const { readConfig } = await loadOwn<{ readConfig(environment: object): object }>(
    'environment/read-config.js',
  );
  const { startService } = await loadOwn<{ startService(config: object): Promise<OwnService> }>(
    'start.js',
  );
  const environment = { ...environmentOf(name), PORT: '0', WEBHOOK_ALLOW_PRIVATE: 'on' };
  return startService(readConfig(environment));
}
