/** A service's response to a native client. */
export interface Answer {
  status: number;
  body: Record<string, string>;
}

/**
 * Sends requests as a native client does: with tokens in the body, and no cookies.
 * @param url of the service, without its prefix
 */
export async function send(
  url: string,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  accessToken?: string,
): Promise<Answer> {
  const response = await fetch(`${url}/auth${path}`, {
    method,
    headers: {
      'x-auth-strategy': 'bearer',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(accessToken ? { authorization: `Bearer ${accessToken}` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
