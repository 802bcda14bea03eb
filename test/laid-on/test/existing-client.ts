import { type Answer, browser } from './client.js';
import type { TestService } from './service.js';

export interface ExistingClient {
  /** Sends a request as existing clients do; undefined once they have given up on the session. */
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
 * has a JSON body, possibly empty; `401 INVALID_TOKEN` makes them refresh once and send again;
 * any other 401 makes them forget the session; they treat a response without `success` as a failure.
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
