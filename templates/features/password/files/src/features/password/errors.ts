export const passwordErrors = {
  INVALID_CREDENTIALS: { status: 401, message: 'The email address or the password is wrong.' },
  INVALID_CURRENT_PASSWORD: { status: 400, message: 'The current password is wrong.' },
  INVALID_RESET_TOKEN: { status: 400, message: 'This link is not valid any more.' },
} as const;
