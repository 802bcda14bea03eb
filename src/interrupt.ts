type Undo = () => void;

const undos: Undo[] = [];
let isTerminalLent = false;
let isFinishing = false;

/**
 * From now on Ctrl-C, `kill` and a closing terminal undo the work in progress, latest first, and end the process with
 * 130, 143 or 129.
 */
export function listenForInterrupts(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave);
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

/** Does short work after which nothing can be undone: a signal must not end the process without a report. */
export async function uninterrupted<Result>(work: () => Promise<Result>): Promise<Result> {
  isFinishing = true;
  try {
    return await work();
  } finally {
    isFinishing = false;
  }
}

/** Leaves Ctrl-C to a program that has the terminal meanwhile, such as a pager. */
export async function lendTerminal<Result>(work: () => Promise<Result>): Promise<Result> {
  isTerminalLent = true;
  try {
    return await work();
  } finally {
    isTerminalLent = false;
  }
}

function leave(signal: NodeJS.Signals, number: number): void {
  if (isFinishing || (isTerminalLent && signal === 'SIGINT')) return;
  for (const undo of undos.reverse()) undo();
  // As shells report it.
  process.exit(128 + number);
}
