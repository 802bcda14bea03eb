import type { Result } from '../../http/route.js';
import { ChallengeReply, SetUpRequired } from '../second-factor/challenge.js';

/**
 * The page of the app after a sign-in, or its second step. The token of that step is in the fragment, which
 * browsers never send: it gets into no log or Referer.
 */
export function pathAfterSignIn({ body }: Result, returnPath: string): string {
  const { data: challenge } = ChallengeReply.safeParse(body);
  if (!challenge) return returnPath;
  const { tempToken, available2faMethods: methods } = challenge;
  return `/2fa#tempToken=${tempToken}&methods=${methods.join(',')}`;
}

/**
 * The page of the app after a refused sign-in. A token for setting up a second factor is in the
 * fragment: users who only sign in through a provider have no other way to get it.
 */
export function pathAfterFailure(code: string, fields?: object): string {
  const { data: setUp } = SetUpRequired.safeParse(fields);
  return setUp ? `/login?error=${code}#tempToken=${setUp.tempToken}` : `/login?error=${code}`;
}
