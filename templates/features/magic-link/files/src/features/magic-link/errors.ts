export const magicLinkErrors = {
  INVALID_MAGIC_LINK: { status: 400, message: 'This link is not valid any more.' },
} as const;
