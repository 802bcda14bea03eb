import { z } from 'zod';
import type { Config } from '../../config.js';
import { redirect } from '../../http/redirect.js';
import type { Reply } from '../../http/route.js';
import type { Failure } from './failure.js';
import { pageOf } from './return-path.js';

const Challenge = z.object({
  requiresTwoFactor: z.literal(true),
  tempToken: z.string(),
  available2faMethods: z.array(z.string()),
});
const SetUp = z.object({ tempToken: z.string() });

/**
 * Where a finished sign-in leads: to the page that was asked for, with the cookies, or to the second
 * step. Its token is in the fragment, which browsers send to no server: no log or Referer keeps it.
 */
export function leadOn(config: Config, reply: Reply, returnPath: string): Reply {
  const { data: challenge } = Challenge.safeParse(reply.body);
  if (!challenge) return { ...redirect(pageOf(config, returnPath)), cookies: reply.cookies ?? [] };
  const { tempToken, available2faMethods: methods } = challenge;
  return redirect(pageOf(config, `/2fa#tempToken=${tempToken}&methods=${methods.join(',')}`));
}

/**
 * Where a sign-in leads that was refused. A token that opens the set-up of a second factor goes along in
 * the fragment: whoever signs in at a provider alone has no other way to it.
 */
export function leadBack(config: Config, { code, fields }: Failure): Reply {
  const { data: setUp } = SetUp.safeParse(fields);
  const fragment = setUp ? `#tempToken=${setUp.tempToken}` : '';
  return redirect(pageOf(config, `/login?error=${code}${fragment}`));
}
