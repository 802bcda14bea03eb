import { onTestFinished } from 'vitest';

/** Something that work waits at until the test opens it. */
export interface Gate {
  opened: Promise<void>;
  open(): void;
}

/** A closed gate: `await gate.opened` resolves after `gate.open()`, at the latest when the test has ended or failed. */
export function closedGate(): Gate {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  onTestFinished(() => open());
  return { opened, open: () => open() };
}
