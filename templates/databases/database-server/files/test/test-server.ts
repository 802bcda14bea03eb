/** Where tests make their databases. */
export interface TestServer {
  /** True if all connections share one session in this process, so that nothing is truly parallel. */
  isInProcess: boolean;
  /** Makes a database without tables. */
  createDatabase(): Promise<TestDatabase>;
  /** The names of all databases that tests have made. */
  listDatabases(): Promise<string[]>;
  /** Drops a database by its name, whoever is still connected to it. */
  dropDatabase(name: string): Promise<void>;
  /** Ends every connection to a database, as a restart of the server would. */
  disconnectAll(url: string): Promise<void>;
}

export interface TestDatabase {
  url: string;
  /** Drops it, whoever is still connected to it. */
  drop(): Promise<void>;
}
