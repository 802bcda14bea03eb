/** What a prompt returns when the person wants to go back to the previous question. */
export const back: unique symbol = Symbol('back');

export type Reply<Value> = Promise<Value | typeof back>;

/** One of the answers that a question offers. */
export interface Offered<Value extends string = string> {
  value: Value;
  label: string;
  /** What the answer is, and what it brings. */
  about?: string;
}

interface Prompt<Answer> {
  message: string;
  /** Why an answer is refused; undefined if it is accepted. */
  problem: (answer: Answer) => string | undefined;
}

/** A question that is answered by typing. */
interface TextPrompt extends Prompt<string> {
  /** The answer if only Enter is pressed. */
  current: string;
}

/** A question with one answer. */
export interface OnePrompt<Value extends string> extends Prompt<string> {
  offered: Offered<Value>[];
  current: string | undefined;
  /** False if there is no question to go back to. */
  hasPrevious: boolean;
}

/** A question with several answers. */
interface SeveralPrompt extends Prompt<string[]> {
  offered: Offered[];
  current: string[];
  hasPrevious: boolean;
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

/** Breaks a text into lines of at most this width; no word is cut, however long. Lines after the first are indented. */
export function wrapped(text: string, width: number, indent = ''): string[] {
  return text.split('\n').flatMap((line) => wrappedLine(line, width, indent));
}

function wrappedLine(text: string, width: number, indent: string): string[] {
  const [first = '', ...words] = text.split(' ');
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.trimEnd().length <= width) lines[lines.length - 1] = longer;
    else lines.push(indent + word);
  }
  return lines.map((line) => line.trimEnd());
}
