import type { Mutant } from "../mutant.ts";

const UNREACHABLE = ["test/worker/api/operator/row-archive/unreachable.test.ts"];
const LEAVING = ["test/worker/api/operator/row-archive/leaving.test.ts"];
const RUN = "src/api/operator/row-archive/tasks.ts";

/** Rows that leave D1 for the archive, and what needs their texts. */
export const rowArchiveMutants: Mutant[] = [
  {
    name: "archive-file-shared-by-unlike-runs",
    file: RUN,
    text: "let file = await nameOf(checked);",
    replacement: "let file = await nameOf(text);",
    tests: UNREACHABLE,
  },
  {
    name: "archive-damaged-file-taken",
    file: RUN,
    text: "return rows.every(({ line }) => texts.has(JSON.stringify(line)));",
    replacement: "return rows.length > 0;",
    tests: UNREACHABLE,
  },
  {
    name: "archive-lines-of-kept-rows-stay",
    file: RUN,
    text: "if (gone.size < read.length) await dropLines(env, file, gone);",
    replacement: "",
    tests: LEAVING,
  },
  {
    name: "archive-outbox-goes-without-texts",
    file: "src/db/archive/texts-wait.ts",
    text: "if (nowMs - this.#since < this.#limitMs) {",
    replacement: "if (nowMs < this.#since) {",
    tests: UNREACHABLE,
  },
  {
    name: "archive-restore-goes-without-texts",
    file: "src/api/operator/restore/service.ts",
    text: "projectionWriter(env, { textsWaitMs: Infinity })",
    replacement: "projectionWriter(env, { textsWaitMs: 0 })",
    tests: UNREACHABLE,
  },
  {
    name: "archive-silence-is-a-lost-event",
    file: "src/webhooks/delivery/attempt.ts",
    text: "    fault === UNREADABLE.fault;",
    replacement: "    fault === DROPPED.fault;",
    tests: ["test/worker/api/operator/row-archive/damage.test.ts"],
  },
];
