import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A server that tests of emitted services use. */
export interface Service {
  name: string;
  /** Debian's package, and the unit that it may start by itself. */
  package: string;
  unit: string;
  port: number;
  /** Where its data folder is made; the system's folder of temporary files if absent. */
  parentFolder?: string;
  /** True if the package is installed. */
  isInstalled(): boolean;
  /** Makes what the package alone does not bring. */
  prepare?(): Promise<void>;
  /** Throws if a server answers that tests cannot use. */
  check(port: number): Promise<void>;
  /** Starts a server of our own on loopback, with its data in `folder`, which is empty. */
  start(folder: string, port: number): Promise<void>;
}

const PATIENCE_MS = 30_000;

/** True if something listens on the port. */
export function listensOn(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

/** Resolves once something listens. @throws Error after half a minute */
export async function untilListening(service: Service, port: number): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await listensOn(port))) {
    if (performance.now() > deadline) throw new Error(`${service.name} does not come up.`);
    await wait(100);
  }
}
