import { availableParallelism } from 'node:os';

const all = availableParallelism();
let free = all;
const waiting: { count: number; start: () => void }[] = [];

/**
 * Does the work as soon as this many processors are free, first come, first served, so that large jobs do not starve.
 */
export async function onProcessors<T>(count: number, work: () => T | Promise<T>): Promise<T> {
  const needed = Math.min(count, all);
  await new Promise<void>((resolve) => {
    waiting.push({ count: needed, start: resolve });
    serve();
  });
  try {
    return await work();
  } finally {
    free += needed;
    serve();
  }
}

function serve(): void {
  for (let [next] = waiting; next && next.count <= free; [next] = waiting) {
    waiting.shift();
    free -= next.count;
    next.start();
  }
}
