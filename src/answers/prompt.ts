/** What a prompt gives when the person wants the question before it. */
export const back: unique symbol = Symbol('back');

export type Reply<Value> = Promise<Value | typeof back>;

/** One of the answers that a question offers. */
export interface Offered<Value extends string = string> {
  value: Value;
  label: string;
  /** What it is, and what it brings. */
  about?: string;
}

/** Says why an answer will not do, if it will not. */
export type Problem<Value> = (answer: Value) => string | undefined;

/** A question that is answered by typing. */
export interface TextPrompt {
  message: string;
  /** What Enter alone answers. */
  current: string;
  /** Looked at with every key. */
  problemAsTyped: Problem<string>;
  problem: Problem<string>;
}

/** A question with one answer. */
export interface OnePrompt<Value extends string> {
  message: string;
  offered: Offered<Value>[];
  current: string | undefined;
  problem: Problem<string>;
}

/** A question with several answers. */
export interface SeveralPrompt {
  message: string;
  offered: Offered[];
  current: string[];
  problem: Problem<string[]>;
}

/** A way to ask. Each question throws a UserError with exit code 130 if the person leaves. */
export interface Prompts {
  begin(): void;
  /** Something to read between two questions. */
  tell(title: string, lines: string[]): void;
  text(prompt: TextPrompt): Reply<string>;
  one<Value extends string>(prompt: OnePrompt<Value>): Reply<Value>;
  several(prompt: SeveralPrompt): Reply<string[]>;
  end(sentence: string): void;
}

/** The lines of a text that are at most so wide; no word is cut, however long. Those after the first are indented. */
export function wrapped(text: string, width: number, indent = ''): string[] {
  const [first = '', ...words] = text.split(' ');
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.trimEnd().length <= width) lines[lines.length - 1] = longer;
    else lines.push(indent + word);
  }
  return lines.map((line) => line.trimEnd());
}
