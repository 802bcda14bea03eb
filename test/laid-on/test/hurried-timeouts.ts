import { vi } from 'vitest';

/** Lets each time-out of a request pass after a moment; its calls tell how long each would have been. */
export function hurriedTimeouts() {
  const start = AbortSignal.timeout.bind(AbortSignal);
  const hurried = vi.spyOn(AbortSignal, 'timeout');
  return hurried.mockImplementation((ms) => start(Math.min(ms, 200)));
}
