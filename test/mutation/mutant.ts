/** One small bug that could have been written, and the tests that must notice it. */
export interface Mutant {
  /** What is wrong then, in words of a path: `refund-exceeds-paid`. */
  name: string;
  /** A source file, from the root of the project. */
  file: string;
  /** Stands in the file exactly once. */
  text: string;
  replacement: string;
  /** Test files, from the root of the project, of which at least one must fail. */
  tests: string[];
}
