/** Past a valid state a person is looking at a browser: these reach them as APP_URL/login?error=<code>. */
export const oauthErrors = {
  OAUTH_NOT_CONFIGURED: { status: 404, message: 'This provider is not configured here.' },
  OAUTH_RETURN_PATH_INVALID: { status: 400, message: 'The return_path must be a path of the app.' },
  INVALID_OAUTH_STATE: {
    status: 400,
    message: 'This sign-in was not begun in this browser, or was used already. Begin again.',
  },
  OAUTH_ACCOUNT_CONFLICT: { status: 409, message: 'The address has an account already.' },
  OAUTH_EMAIL_MISSING: { status: 400, message: 'The provider tells no email address.' },
  OAUTH_SIGN_UP_REFUSED: { status: 400, message: 'No account can be opened this way.' },
  OAUTH_FAILED: { status: 400, message: 'The sign-in at the provider failed. Try again.' },
} as const;
