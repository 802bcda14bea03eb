import type { Config } from '../../config.js';
import { redirect } from '../../http/redirect.js';
import type { Reply } from '../../http/route.js';
import type { Failure } from './failure.js';
import { pageOf } from './return-path.js';

/** Where a finished sign-in leads: to the page that was asked for, with the cookies. */
export function leadOn(config: Config, reply: Reply, returnPath: string): Reply {
  return { ...redirect(pageOf(config, returnPath)), cookies: reply.cookies ?? [] };
}

/** Where a sign-in leads that was refused. */
export function leadBack(config: Config, { code }: Failure): Reply {
  return redirect(pageOf(config, `/login?error=${code}`));
}
