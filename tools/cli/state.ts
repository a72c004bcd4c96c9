import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { systemRandom } from "../../src/domain/shared/clock.ts";
import { newWebhookSecret } from "../../src/webhooks/signing/secrets.ts";
import { WEBHOOK_SECRET } from "./config.ts";
import { SEQUENCE_MAX } from "./events.ts";
import { CliError, withDiskErrors } from "./failure.ts";

/**
 * The last processed event: its `companySequence`, and its time to detect a new database. 0 and null before
 * the first event.
 */
const CursorSchema = z.union([
  z.object({ after: z.literal(0), timestamp: z.null() }),
  z.object({ after: z.int().positive().max(SEQUENCE_MAX), timestamp: z.iso.datetime() }),
]);

const ContentSchema = z.object({
  secret: z.string().regex(WEBHOOK_SECRET).nullable(),
  /** By service and application. */
  marks: z.record(z.string(), CursorSchema),
});

export type Cursor = z.infer<typeof CursorSchema>;
type Content = z.infer<typeof ContentSchema>;

export const START: Cursor = { after: 0, timestamp: null };

/** The listener's cursors and secret, in one file that only its owner can read. */
export class ListenState {
  readonly file: string;
  #content: Content;

  /** Throws `CliError` when the file exists but is not valid. */
  constructor(file: string) {
    this.file = file;
    this.#content = read(file);
  }

  cursor(key: string): Cursor | null {
    return this.#content.marks[key] ?? null;
  }

  saveCursor(key: string, cursor: Cursor): void {
    this.#write({ ...this.#content, marks: { ...this.#content.marks, [key]: cursor } });
  }

  /** The signing secret. Creates it the first time (`fresh`). */
  secret(): { secret: string; fresh: boolean } {
    const known = this.#content.secret;
    if (known !== null) return { secret: known, fresh: false };
    const secret = newWebhookSecret(systemRandom);
    this.#write({ ...this.#content, secret });
    return { secret, fresh: true };
  }

  /** Writes atomically: a new file replaces the old one. */
  #write(content: Content): void {
    const fresh = `${this.file}.${process.pid}.new`;
    withDiskErrors(this.file, () => {
      writeFileSync(fresh, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
      renameSync(fresh, this.file);
      const entry = openSync(dirname(this.file), "r");
      fsyncSync(entry);
      closeSync(entry);
    });
    this.#content = content;
  }
}

/** Creates the folder of the state file. Throws `CliError` when that fails or `file` is a folder. */
export function makeFolderOf(file: string): void {
  withDiskErrors(dirname(file), () => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }));
  const isFolder = withDiskErrors(file, () =>
    statSync(file, { throwIfNoEntry: false })?.isDirectory(),
  );
  if (isFolder === true) throw new CliError(`${file} is a folder, not a listener's state file.`);
}

function read(file: string): Content {
  const text = withDiskErrors(file, () => textOf(file));
  if (text === null) return { secret: null, marks: {} };
  const content = ContentSchema.safeParse(parse(text));
  if (!content.success) throw new CliError(`${file} is not a listener's state file.`);
  return content.data;
}

/** Null when the file does not exist. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
