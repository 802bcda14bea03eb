/** A provider that is slower than this is down. */
const TIMEOUT_MS = 10_000;

/**
 * Hands a text to a provider. Rejects unless it answers 2xx in time; the message says the status and
 * nothing of what was sent, which holds a code. A redirect is refused: it would take the
 * credentials along.
 */
export async function postText(
  url: string,
  message: { headers: Record<string, string>; body: string | URLSearchParams },
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...message,
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The SMS provider answered ${response.status}.`);
}
