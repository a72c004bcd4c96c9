/** An error that the user can fix. The CLI prints its one sentence, without a stack. */
export class CliError extends Error {
  /** 1: the command failed; 2: the command line or environment was wrong. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The service did not respond, or asked to wait: the same request may succeed later. */
export class ServiceUnavailable extends CliError {
  /** The wait from `Retry-After`; null without one. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Runs a read or write of a file. Throws `CliError` for an error of the system, such as a missing permission. */
export function withDiskErrors<Answer>(file: string, work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new CliError(`${file} cannot be read or written (${code}).`);
  }
}
