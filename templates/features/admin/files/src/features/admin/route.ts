import type { Call, Reply, Route, RouteOptions } from '../../http/route.js';
import * as http from '../../http/route.js';
import { inTransaction, type Services } from '../../services.js';
import type { Caller } from '../../session/caller.js';
import { actOf } from '../audit-log/act.js';

/** A call of the administration API. */
export type AdminCall<Body = undefined, Query = URLSearchParams> = Call<Body, Caller, Query>;

/** A call that changes something. */
export interface ActCall<Body = undefined, Query = URLSearchParams> extends AdminCall<Body, Query> {
  /** Runs `work` in one transaction with the act's entry in the audit log. */
  commit<T>(work: (inside: Services) => Promise<T>): Promise<T>;
}

interface AdminOptions<Body, Query> extends RouteOptions<Body, Caller, Query> {
  /** `<resource>:<action>`: no route of this API is open to every signed-in user. */
  permission: string;
}

interface ActOptions<Body, Query> extends AdminOptions<Body, Query> {
  /**
   * True for an act that waits for something: a hash, another server, a script. It is not run in a
   * transaction, which would hold up every other; it calls `commit` itself.
   */
  waits?: boolean;
}

/** Declares a route that only reads. */
export function get<Body = undefined, Query = URLSearchParams>(
  path: string,
  options: AdminOptions<Body, Query>,
  handle: (call: AdminCall<Body, Query>) => Promise<Reply>,
): Route {
  return http.get(path, { ...options, access: 'signed-in' }, handle);
}

/**
 * Declares a route that changes something, in one transaction with its entry in the audit log: what
 * is not in the log has not happened.
 */
function act(define: http.Define) {
  return <Body = undefined, Query = URLSearchParams>(
    path: string,
    options: ActOptions<Body, Query>,
    handle: (call: ActCall<Body, Query>) => Promise<Reply>,
  ): Route => {
    const { waits, ...routeOptions } = options;
    return define(path, { ...routeOptions, access: 'signed-in' }, async (call) => {
      let isInLog = false;
      async function commit<T>(work: (inside: Services) => Promise<T>): Promise<T> {
        const result = await inTransaction(call.services, async (inside) => {
          const worked = await work(inside);
          await inside.auditLog.append(actOf(path, call));
          return worked;
        });
        isInLog = true;
        return result;
      }
      const reply = waits
        ? await handle({ ...call, commit })
        : await commit((services) => handle({ ...call, services, commit }));
      if (!isInLog) throw new Error(`${path} has left no entry in the audit log`);
      return reply;
    });
  };
}

export const post = act(http.post);
export const put = act(http.put);
export const patch = act(http.patch);
export const del = act(http.del);
