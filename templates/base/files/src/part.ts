/** A part of the service that works beside requests: a worker, a pool of processes. */
export interface Part {
  /** Called once the service listens. */
  start?(): void | Promise<void>;
  /** Called at shutdown, before the database is closed: lets go of work that another instance can do. */
  stop(): Promise<void>;
}
