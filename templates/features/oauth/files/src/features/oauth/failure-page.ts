import type { Config } from '../../config.js';
import { html } from '../../http/html.js';

/** The page for a browser that reloads the callback, or comes back too late. */
export function signInFailedPage({ APP_URL, SERVICE_NAME }: Config, code: string, message: string) {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Sign-in failed · ${SERVICE_NAME}</title>
<h1>Sign-in failed</h1>
<p>${message}</p>
<p><a href="${APP_URL}/login?error=${code}">Back to the sign-in page</a></p>
`.text();
}
