import type { SignIn, Visitor } from './visitor.js';

/**
 * A step of the demonstration. A layer brings its own as `steps` of `steps/<layer>.ts`; they are taken if the service
 * has that layer.
 */
export interface Step {
  /** Place among the steps of all layers: 10 an account, 20 signed in, 30 to 80 signed in, 90 signed out. */
  order: number;
  title: string;
  /** @throws UserError if an answer is not as expected */
  take(visitor: Visitor): Promise<void>;
}

/** Something that a layer needs beside the service, started before it. */
export interface Counterpart {
  /** What the service has to know of it. */
  variables: Record<string, string>;
  stop(): void;
}

/** What `steps/<layer>.ts` exports. */
export interface LayerDemo {
  steps: Step[];
  /** @param baseUrl where the service will be reached */
  startCounterpart?(baseUrl: string): Promise<Counterpart>;
  /** For a first factor: how to sign in by it. */
  signIn?: SignIn;
  /** For the layer that lets people open accounts. */
  openAccount?(visitor: Visitor): Promise<void>;
}
