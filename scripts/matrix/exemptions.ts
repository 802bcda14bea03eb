/** Phrases that every service has, whatever was chosen; they are taken out of the text before traces are looked for. */
export const exemptions: { phrase: string; reason: string }[] = [
  {
    phrase: 'isTotpEnabled',
    reason: 'a claim of every token and a field of every profile: clients read it unconditionally',
  },
];
