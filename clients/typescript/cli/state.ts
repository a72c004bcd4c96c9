import { statSync } from "node:fs";
import * as z from "zod/mini";
import { systemRandom } from "../../../src/domain/shared/clock.ts";
import { newWebhookSecret } from "../../../src/webhooks/signing/secrets.ts";
import { WEBHOOK_SECRET } from "./account.ts";
import { SEQUENCE_MAX } from "./events.ts";
import { CliError, withDiskErrors } from "./failure.ts";
import { readJson, writePrivately } from "./private-file.ts";

/**
 * The last processed event: its `companySequence`, and its time to detect a new database. 0 and null before
 * the first event.
 */
const CursorSchema = z.union([
  z.object({ after: z.literal(0), timestamp: z.null() }),
  z.object({
    after: z.int().check(z.positive(), z.maximum(SEQUENCE_MAX)),
    timestamp: z.iso.datetime(),
  }),
]);

const ContentSchema = z.object({
  secret: z.nullable(z.string().check(z.regex(WEBHOOK_SECRET))),
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

  #write(content: Content): void {
    writePrivately(this.file, content);
    this.#content = content;
  }
}

/** Throws `CliError` when `file` is a folder. */
export function refuseFolder(file: string): void {
  const isFolder = withDiskErrors(file, () =>
    statSync(file, { throwIfNoEntry: false })?.isDirectory(),
  );
  if (isFolder === true) throw new CliError(`${file} is a folder, not a listener's state file.`);
}

function read(file: string): Content {
  const stored = readJson(file);
  if (stored === undefined) return { secret: null, marks: {} };
  const content = ContentSchema.safeParse(stored);
  if (!content.success) throw new CliError(`${file} is not a listener's state file.`);
  return content.data;
}
