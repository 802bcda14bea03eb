import { type Answer, browser } from './client.js';
import type { TestService } from './service.js';

export interface ExistingClient {
  /** Sends a request as the clients in the field do; undefined once they have given up on the session. */
  request(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Answer>;
  /** How often it refreshed, and whether it now shows a sign-in form. */
  state: { refreshes: number; isSignedOut: boolean };
}

/**
 * Behaves like the browser, Angular, Flutter and React clients that exist for this API: every POST
 * has a JSON body, if only an empty one; `401 INVALID_TOKEN` makes them refresh once and send again;
 * any other 401 makes them forget the session; an answer without `success` is a failure to them.
 */
export function existingClient(service: TestService): ExistingClient {
  const client = browser(service);
  const state = { refreshes: 0, isSignedOut: false };

  async function refresh(): Promise<boolean> {
    state.refreshes += 1;
    const { status, body } = await client.post('/refresh', {});
    return status === 200 && body.success === true;
  }

  async function send(method: string, path: string, body?: object): Promise<Answer> {
    return client.send(method, path, method === 'GET' ? undefined : JSON.stringify(body ?? {}));
  }

  return {
    state,
    async request(method, path, body) {
      const answer = await send(method, path, body);
      if (answer.status !== 401) return answer;
      if (answer.body.code === 'INVALID_TOKEN' && (await refresh()))
        return send(method, path, body);
      state.isSignedOut = true;
      return answer;
    },
  };
}
