import { UserError } from '../../src/errors.js';
import type { DemoService } from './service.js';

const waitSeconds = 5;
const taken = new Set<number>();

/**
 * The code of the next text message in the service's log; each is given once.
 * @throws UserError if none comes within five seconds: texts leave after the answer
 */
export async function waitForText(service: DemoService): Promise<string> {
  const deadline = Date.now() + waitSeconds * 1000;
  while (Date.now() < deadline) {
    // The last line of every text binds the code to the host: `@host #123456`.
    for (const match of service.log().matchAll(/@[\w.-]+ #(\d{6})/g)) {
      if (taken.has(match.index)) continue;
      taken.add(match.index);
      return match[1] ?? '';
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new UserError('No text message in the log of the service.');
}
