import type { ErrorCode } from '../error-codes.js';
import type { Services } from '../services.js';
import type { Caller } from './caller.js';

/** A way to prove anew who one is, in the body of the request that needs it. */
export interface Proof {
  /** The body's field that carries it. */
  field: string;
  /** The code of a wrong one, whose status is 400. */
  refuses: ErrorCode;
  /** Throws that code unless the value proves that this is the caller. */
  verify(services: Services, caller: Caller, value: string): Promise<void>;
}
