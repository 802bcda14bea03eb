/** Phrases that every service has, whatever was chosen; they are taken out of the text before traces are looked for. */
export const exemptions: { phrase: string; reason: string }[] = [
  {
    phrase: '.github',
    reason: 'the folder of the CI workflow',
  },
  {
    phrase: '/login?error=',
    reason: 'the page of the app that a refused sign-in leads to, not the route of that name',
  },
  {
    phrase: '--no-experimental-sqlite',
    reason: 'an option of Node.js',
  },
  {
    phrase: 'isTotpEnabled',
    reason: 'a claim of every token and a field of every profile: clients read it unconditionally',
  },
  {
    phrase: 'is_totp_enabled',
    reason: 'the column of that field',
  },
  {
    phrase: 'is-totp-enabled',
    reason: 'the file of that field',
  },
  {
    phrase: 'url.password',
    reason: 'the user info of a URL (URL standard)',
  },
  {
    phrase: 'url?.password',
    reason: 'the user info of a URL (URL standard)',
  },
  {
    phrase: 'user:password@',
    reason: 'the user info of a URL, in what is said of one',
  },
  {
    phrase: '_PASSWORD',
    reason: "the database's own, in compose.yaml and what is said of it",
  },
  {
    phrase: "'currentPassword',",
    reason: 'what the log must never show, whoever sends it',
  },
  {
    phrase: "'newPassword',",
    reason: 'what the log must never show, whoever sends it',
  },
  {
    phrase: "'password',",
    reason: 'what the log must never show, whoever sends it',
  },
  {
    phrase: 'secret|password|placeholder',
    reason: 'words that give an example secret away',
  },
];

/** Layers whose name is also the word for something that another layer brings: it betrays nothing if that one is there. */
export const sharedNames: Record<string, string> = {
  // The role and the command of that name, and roles themselves.
  admin: 'base',
  roles: 'base',
  // Calls from outside are webhooks too.
  webhooks: 'webhook-configs',
};
