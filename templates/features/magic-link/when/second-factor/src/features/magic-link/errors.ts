export const magicLinkErrors = {
  INVALID_MAGIC_LINK: { status: 400, message: 'This link is not valid any more.' },
  TOKEN_MISMATCH: { status: 400, message: 'This link does not belong to this sign-in.' },
} as const;
