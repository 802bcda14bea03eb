type Undo = () => void;

const undos: Undo[] = [];
const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const ignored = new Set<NodeJS.Signals>();

/**
 * From now on Ctrl-C, `kill` and a closing terminal undo the work in progress, latest first, and end the process with
 * 130, 143 or 129.
 */
export function listenForInterrupts(): void {
  for (const signal of signals) process.on(signal, leave);
}

/**
 * Does the work; if a signal ends the process meanwhile, `undo` runs, which must be synchronous.
 */
export async function interruptible<Result>(
  undo: Undo,
  work: () => Promise<Result>,
): Promise<Result> {
  undos.push(undo);
  try {
    return await work();
  } finally {
    undos.splice(undos.indexOf(undo), 1);
  }
}

/**
 * Does work that these signals do not end: short work after which nothing can be undone, so that the process does not end
 * without a report; or that of a program that has the terminal meanwhile, such as a pager, and gets Ctrl-C itself.
 */
export async function uninterrupted<Result>(
  work: () => Promise<Result>,
  by = signals,
): Promise<Result> {
  for (const signal of by) ignored.add(signal);
  try {
    return await work();
  } finally {
    ignored.clear();
  }
}

function leave(signal: NodeJS.Signals, number: number): void {
  if (ignored.has(signal)) return;
  for (const undo of undos.reverse()) undo();
  // As shells report it.
  process.exit(128 + number);
}
