import type { Config } from '../../config.js';
import type { Log } from '../../log.js';

/** One text to one phone. */
export interface Text {
  /** E.164. */
  to: string;
  text: string;
}

/** A way for texts to go out. */
export interface SmsTransport {
  /** What keeps it from being used with these variables, beginning with the variable's name. */
  problem(config: Partial<Config>): string | undefined;
  /** Hands the text over; rejects if that fails. Call it off the request path. */
  send(config: Config, log: Log, text: Text): Promise<void>;
}
