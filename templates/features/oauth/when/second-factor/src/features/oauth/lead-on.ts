import type { Config } from '../../config.js';
import { redirect } from '../../http/redirect.js';
import type { Reply } from '../../http/route.js';
import { ChallengeReply, SetUpDemand } from '../second-factor/replies.js';
import type { Failure } from './failure.js';
import { pageOf } from './return-path.js';

/**
 * Where a finished sign-in leads: to the page that was asked for, with the cookies, or to the second
 * step. Its token is in the fragment, which browsers send to no server: no log or Referer keeps it.
 */
export function leadOn(config: Config, reply: Reply, returnPath: string): Reply {
  const { data: challenge } = ChallengeReply.safeParse(reply.body);
  if (!challenge) return { ...redirect(pageOf(config, returnPath)), cookies: reply.cookies ?? [] };
  const { tempToken, available2faMethods: methods } = challenge;
  return redirect(pageOf(config, `/2fa#tempToken=${tempToken}&methods=${methods.join(',')}`));
}

/**
 * Where a sign-in leads that was refused. A token that opens the set-up of a second factor goes along in
 * the fragment: whoever signs in at a provider alone has no other way to it.
 */
export function leadBack(config: Config, { code, fields }: Failure): Reply {
  const { data: setUp } = SetUpDemand.safeParse(fields);
  const fragment = setUp ? `#tempToken=${setUp.tempToken}` : '';
  return redirect(pageOf(config, `/login?error=${code}${fragment}`));
}
