import { ApiError, CentavoError, ConnectionError } from "../src/index.ts";

/** An error that the user can fix. The CLI prints its one sentence, without a stack. */
export class CliError extends Error {
  /** 1: the command failed; 2: the command line or environment was wrong. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A failed call of the service at `url` in the words of the CLI; any other error as it is. */
export function explained(error: unknown, url: string): unknown {
  if (!(error instanceof CentavoError)) return error;
  if (error instanceof ConnectionError)
    return new CliError(`${url} does not respond; is the service running?`);
  const status = error instanceof ApiError ? error.status : 0;
  if (Math.floor(status / 100) === 3)
    return new CliError(`${url} redirects; redirects are not followed. Check CENTAVO_URL.`);
  if (status === 401) {
    return new CliError(
      `${url} refuses the credentials: check CENTAVO_CLIENT_ID and CENTAVO_API_KEY, or run centavo login.`,
    );
  }
  return new CliError(error.message);
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
