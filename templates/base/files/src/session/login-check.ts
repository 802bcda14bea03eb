import type { z } from 'zod';
import type { ErrorCode } from '../error-codes.js';
import type { RequestFacts } from '../http/request.js';
import type { Reply } from '../http/route.js';
import type { Services } from '../services.js';
import type { Account } from './caller.js';

/** How a user got in, for the session, the event and the checks. */
export interface SignIn {
  userId: string;
  /** The method, by the name that events and sessions have for it, such as `local`. */
  method: string;
  /** Who vouched for it, if not this service. */
  provider?: string;
  /**
   * Throws if what proved who the user is no longer does. Called in the transaction that opens the
   * session, for whatever may have been changed since it was looked at.
   */
  confirm?(inside: Services): Promise<void>;
  /** The method that was used before this one, if it took two. */
  firstMethod?: string;
}

/** A feature's say before tokens are issued, to a user who has proved who they are. */
export interface LoginCheck {
  /** The codes that it may refuse with. */
  refuses: ErrorCode[];
  /** Fields that a refusal may carry beside `error` and `code`. */
  tells?: z.ZodObject;
  /** What it may answer where others get tokens. */
  asks?: z.ZodType;
  /** Throws to refuse, returns a reply to ask for something else first, undefined to let pass. */
  check(
    services: Services,
    request: RequestFacts,
    account: Account,
    signIn: SignIn,
  ): Promise<Reply | undefined>;
}
