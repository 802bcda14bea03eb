/** The result of one check, for people. */
export interface Finding {
  /** What was checked, in a word or two. */
  about: string;
  /** A `problem` makes the exit code 3; a `note` is worth knowing; `ok` is in order. */
  severity: 'problem' | 'note' | 'ok';
  message: string;
  /** What to type or to do about it. */
  remedy?: string;
}

export function problem(about: string, message: string, remedy: string): Finding {
  return { about, severity: 'problem', message, remedy };
}

export function note(about: string, message: string, remedy?: string): Finding {
  return { about, severity: 'note', message, ...(remedy ? { remedy } : {}) };
}

export function ok(about: string, message: string): Finding {
  return { about, severity: 'ok', message };
}
