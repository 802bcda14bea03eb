/** Something has taken too long. It goes on, but nobody waits for it. */
export class TooLateError extends Error {}

/** What `work` comes to. Rejects with a TooLateError if that takes longer than `ms`. */
export function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TooLateError(`no answer in ${ms} ms`)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
