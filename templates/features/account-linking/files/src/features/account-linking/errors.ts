export const accountLinkingErrors = {
  INVALID_LINK_TOKEN: { status: 400, message: 'This link is not valid any more.' },
  LAST_LOGIN_METHOD: {
    status: 409,
    message: 'This is the only way into the account. Add another one first.',
  },
} as const;
