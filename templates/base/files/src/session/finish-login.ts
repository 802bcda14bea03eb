import { refuse } from '../http/errors.js';
import type { RequestFacts } from '../http/request.js';
import type { Reply } from '../http/route.js';
import { loginChecks } from '../login-checks.js';
import { inTransaction, type Services, withEvents } from '../services.js';
import type { SignIn } from './login-check.js';
import { replyWithTokens } from './reply-with-tokens.js';
import { startSession } from './start-session.js';

/**
 * Every way to sign in ends here, once it knows who the user is: the one place that decides whether
 * tokens are issued. A check that is missing in a method is thereby missing nowhere.
 * Throws ACCOUNT_DISABLED, only now that the credential was right: others must not learn of it.
 */
export async function finishLogin(
  services: Services,
  request: RequestFacts,
  signIn: SignIn,
): Promise<Reply> {
  const account = await services.users.findAccount(signIn.userId);
  if (!account) throw refuse('INVALID_TOKEN');
  if (account.user.disabledAt !== null) throw refuse('ACCOUNT_DISABLED');
  for (const { check } of loginChecks) {
    const reply = await check(services, request, account, signIn);
    if (reply) return reply;
  }
  const { userId, method, provider } = signIn;
  const run = signIn.confirm ? inTransaction : withEvents;
  const session = await run(services, async (inside) => {
    await signIn.confirm?.(inside);
    const started = await startSession(inside, request, userId, method);
    const data = { method, ...(provider ? { provider } : {}) };
    inside.events.publish('identity.auth.login.success', data, { userId, request });
    return started;
  });
  return replyWithTokens(services, request, session, account);
}
