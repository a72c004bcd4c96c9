import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Answers of whoever types, or the lines of a pipe, one for each question. */
export type Ask = (question: string, options?: { isSecret?: boolean }) => Promise<string>;

/**
 * Runs what asks questions at the terminal; there a secret's letters are not shown. A pipe's lines answer without
 * questions, the last one also without a line's end.
 */
export async function withQuestions<Answer>(run: (ask: Ask) => Promise<Answer>): Promise<Answer> {
  const { stdin, stderr } = process;
  let isHidden = false;
  const shown = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isHidden) stderr.write(chunk);
      done();
    },
  });
  const terminal = stdin.isTTY;
  const lines = createInterface({ input: stdin, output: shown, terminal });
  const piped = terminal ? null : lines[Symbol.asyncIterator]();
  try {
    return await run(async (question, { isSecret = false } = {}) => {
      if (piped !== null) return (await nextLine(piped)).trim();
      const answering = lines.question(question);
      // The question is written by now; what follows are the letters.
      isHidden = isSecret;
      const answer = await answering;
      isHidden = false;
      if (isSecret) stderr.write("\n");
      return answer.trim();
    });
  } finally {
    lines.close();
  }
}

/** The next line of a pipe; empty after the last one. */
async function nextLine(lines: AsyncIterator<string>): Promise<string> {
  const next = await lines.next();
  return next.done === true ? "" : next.value;
}
