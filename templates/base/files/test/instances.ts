/** How many instances a service under test has: TEST_INSTANCES, one by default. All share its database. */
export const instanceCount = Number(process.env.TEST_INSTANCES || '1');

/** Gives one after the other and then the first again, as a balancer does. Throws if there are none. */
export function inTurns<T>(items: T[]): () => T {
  let turns = 0;
  return () => {
    const item = items[turns++ % items.length];
    if (item === undefined) throw new Error('There is nothing to give.');
    return item;
  };
}
