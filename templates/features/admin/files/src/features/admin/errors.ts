export const adminErrors = {
  USER_EXISTS: { status: 409, message: 'There is an account with this address already.' },
} as const;
