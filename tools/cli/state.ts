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
 * The last event that was dealt with: its `companySequence`, and its time, by which a database that was
 * made anew is told from the old one. 0 and null before the first.
 */
const MarkSchema = z.union([
  z.object({ after: z.literal(0), timestamp: z.null() }),
  z.object({ after: z.int().positive().max(SEQUENCE_MAX), timestamp: z.iso.datetime() }),
]);

const ContentSchema = z.object({
  secret: z.string().regex(WEBHOOK_SECRET).nullable(),
  /** By service and application. */
  marks: z.record(z.string(), MarkSchema),
});

export type Cursor = z.infer<typeof MarkSchema>;
type Content = z.infer<typeof ContentSchema>;

export const START: Cursor = { after: 0, timestamp: null };

/** What a listener must not forget, in one file that only its owner may read. */
export class ListenState {
  readonly file: string;
  #content: Content;

  /** Throws `CliError` where the file is there but cannot be understood. */
  constructor(file: string) {
    this.file = file;
    this.#content = read(file);
  }

  cursor(key: string): Cursor | null {
    return this.#content.marks[key] ?? null;
  }

  saveCursor(key: string, mark: Cursor): void {
    this.#write({ ...this.#content, marks: { ...this.#content.marks, [key]: mark } });
  }

  /** The secret to sign with, made where there is none yet. */
  secret(): { secret: string; fresh: boolean } {
    const known = this.#content.secret;
    if (known !== null) return { secret: known, fresh: false };
    const secret = newWebhookSecret(systemRandom);
    this.#write({ ...this.#content, secret });
    return { secret, fresh: true };
  }

  /** On the disk, whole, or not at all: a new file takes the old one's place. */
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

/** Makes the folder that the state and its lock are kept in. Throws `CliError` where none can be. */
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

/** Null where there is no file. */
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
