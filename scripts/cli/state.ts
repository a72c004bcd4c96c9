import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { systemRandom } from "../../src/domain/clock.ts";
import { Failure } from "./failure.ts";

const WEBHOOK_SECRET_BYTES = 32;

/** The last event that was dealt with. */
export interface Mark {
  /** Its `companySequence`; 0 before the first. */
  after: number;
  /** By which a database that was made anew is told from the old one; null before the first. */
  timestamp: string | null;
}

export const BEGINNING: Mark = { after: 0, timestamp: null };

interface Content {
  secret: string | null;
  /** By service and application. */
  marks: Record<string, Mark>;
}

/** What a listener must not forget, in one file that only its owner may read. */
export class ListenState {
  readonly file: string;
  #content: Content;

  /** Throws `Failure` where the file is there but cannot be understood. */
  constructor(file: string) {
    this.file = file;
    this.#content = read(file);
  }

  mark(key: string): Mark | null {
    return this.#content.marks[key] ?? null;
  }

  keepMark(key: string, mark: Mark): void {
    this.#keep({ ...this.#content, marks: { ...this.#content.marks, [key]: mark } });
  }

  /** The secret to sign with, made where there is none yet. */
  secret(): { secret: string; fresh: boolean } {
    const known = this.#content.secret;
    if (known !== null) return { secret: known, fresh: false };
    const bytes = Buffer.from(systemRandom.bytes(WEBHOOK_SECRET_BYTES));
    const secret = `whsec_${bytes.toString("base64")}`;
    this.#keep({ ...this.#content, secret });
    return { secret, fresh: true };
  }

  /** On the disk, whole, or not at all: a new file takes the old one's place. */
  #keep(content: Content): void {
    const folder = dirname(this.file);
    const fresh = `${this.file}.${process.pid}.new`;
    writeFileSync(fresh, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(fresh, this.file);
    const entry = openSync(folder, "r");
    fsyncSync(entry);
    closeSync(entry);
    this.#content = content;
  }
}

/** Makes the folder that the state and its lock are kept in. */
export function makeFolderOf(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
}

function read(file: string): Content {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { secret: null, marks: {} };
    throw error;
  }
  const content = parse(text);
  if (content === null) throw new Failure(`${file} is not the state of a listener.`);
  return content;
}

function parse(text: string): Content | null {
  try {
    const content = JSON.parse(text) as Partial<Content> | null;
    const { secret, marks } = content ?? {};
    const isSecret = secret === null || typeof secret === "string";
    const areMarks = typeof marks === "object" && marks !== null;
    if (!isSecret || !areMarks || !Object.values(marks).every(isMark)) return null;
    return { secret, marks };
  } catch {
    return null;
  }
}

function isMark(mark: Mark | null): boolean {
  return (
    Number.isSafeInteger(mark?.after) &&
    (mark?.timestamp === null || typeof mark?.timestamp === "string")
  );
}
