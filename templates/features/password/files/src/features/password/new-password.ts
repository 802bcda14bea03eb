import { refuse } from '../../http/errors.js';
import { passwordProblem } from '../../policy.js';

/** The policy's word on a new password. Throws VALIDATION_FAILED naming `field`. */
export async function requireAcceptable(password: string, field: string): Promise<void> {
  const problem = await passwordProblem(password);
  if (problem) throw refuse('VALIDATION_FAILED', { details: [{ path: field, message: problem }] });
}
