/** The type of single-purpose token that may ask for the link, beside a session. */
export const ACCEPTED_TOKEN: string | undefined = undefined;
