/** What the reader can mend: told in one sentence, without a stack. */
export class Failure extends Error {
  /** 1: it could not be done; 2: the command itself was wrong. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The service did not answer, or not now: the same request may succeed later. */
export class ServiceAway extends Failure {
  /** How long it asked to be left alone; null where it did not say. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}
