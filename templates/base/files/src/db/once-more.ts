import { isMissingReference } from './errors.js';

/**
 * Does `work`, and once more if a row that it refers to was deleted meanwhile: it looked before that, and
 * now finds that the row is gone. What fails again has another reason. `work` must be undone when it fails.
 */
export async function onceMoreIfGone<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isMissingReference(error)) throw error;
    return work();
  }
}
