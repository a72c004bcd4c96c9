/** What the reader can mend: told in one sentence, without a stack. */
export class CliError extends Error {
  /** 1: it could not be done; 2: the command itself was wrong. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The service did not answer, or not now: the same request may succeed later. */
export class ServiceUnavailable extends CliError {
  /** How long it asked to be left alone; null where it did not say. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Runs what reads or writes a file. Throws `CliError` where the system says no, as for lack of a right. */
export function withDiskErrors<Answer>(file: string, work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new CliError(`${file} cannot be read or written (${code}).`);
  }
}
