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
    phrase: 'isTotpEnabled',
    reason: 'a claim of every token and a field of every profile: clients read it unconditionally',
  },
];
