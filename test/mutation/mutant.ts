/** A small plausible bug, and the tests that must find it. */
export interface Mutant {
  /** The bug's name in kebab case: `refund-above-paid-amount`. */
  name: string;
  /** A source file, from the root of the project. */
  file: string;
  /** Occurs in the file exactly once. */
  text: string;
  replacement: string;
  /** Test files, from the root of the project, of which at least one must fail. */
  tests: string[];
}
