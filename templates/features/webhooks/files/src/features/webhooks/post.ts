import type { Dispatcher } from 'undici';

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** How much of a receiver is waited for. */
export interface PostLimits {
  /** From the first byte that is sent to the last that is read. */
  durationMs: number;
  /** Of the answer's body. Its rest is not read, and the connection not used again. */
  bodyBytes: number;
}

export interface PostAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** The limit of time is over. */
export class PostTimeout extends Error {
  override name = 'PostTimeout';
}

/**
 * Sends a request and reads the start of its answer. By undici's own calls: a stream and an abort signal
 * for each request would cost as much as the request. Rejects with PostTimeout, or undici's error.
 */
export function post(
  dispatcher: Dispatcher,
  { url, headers, body }: PostRequest,
  { durationMs, bodyBytes }: PostLimits,
): Promise<PostAnswer> {
  const { origin, pathname, search } = new URL(url);
  const path = pathname + search;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let received: PostAnswer['headers'] = {};
    let controller: Dispatcher.DispatchController | undefined;
    let isOver = false;
    const timer = setTimeout(() => fail(new PostTimeout()), durationMs);

    function finish(): void {
      isOver = true;
      clearTimeout(timer);
    }

    function fail(error: Error): void {
      finish();
      reject(error);
      controller?.abort(error);
    }

    function succeed(): void {
      finish();
      resolve({ status, headers: received, body: Buffer.concat(chunks) });
    }

    dispatcher.dispatch(
      { origin, path, method: 'POST', headers, body },
      {
        onRequestStart(started) {
          controller = started;
          // It waited for a connection until nobody waited for it.
          if (isOver) started.abort(new PostTimeout());
        },
        onResponseStart(_, ...start) {
          [status, received] = start;
        },
        onResponseData(reading, chunk) {
          chunks.push(chunk);
          size += chunk.length;
          if (size <= bodyBytes) return;
          succeed();
          reading.abort(new Error('enough was read'));
        },
        onResponseEnd: succeed,
        onResponseError: (_, error) => fail(error),
      },
    );
  });
}
