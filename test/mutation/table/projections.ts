import type { Mutant } from "../mutant.ts";

const UPKEEP = "src/company/runtime/background-work.ts";
const RECORDS = "src/db/projection/projection-writer.ts";
const FENCES = "src/db/sharding/migration/fences.ts";
const CHANGES = "src/db/sharding/migration/change-capture.ts";

/** What D1 is told, in which order, and how a company's rows move to another database. */
export const projectionMutants: Mutant[] = [
  {
    name: "drain-step-without-a-time-limit",
    file: UPKEEP,
    text: "const DRAIN_STEP_TIMEOUT_MS = 20_000;",
    replacement: "const DRAIN_STEP_TIMEOUT_MS = 2_000_000_000;",
    tests: ["test/worker/company/outbox/drain-limits.test.ts"],
  },
  {
    name: "drain-holds-its-request",
    file: UPKEEP,
    text: "const DRAIN_WAIT_MS = 3_000;",
    replacement: "const DRAIN_WAIT_MS = 2_000_000_000;",
    tests: ["test/worker/company/outbox/drain-limits.test.ts"],
  },
  {
    name: "drain-newest-first",
    file: "src/company/outbox/outbox-store.ts",
    text: '"SELECT sequence, entry FROM outbox ORDER BY sequence LIMIT ?"',
    replacement: '"SELECT sequence, entry FROM outbox ORDER BY sequence DESC LIMIT ?"',
    tests: ["test/worker/company/outbox/drain.test.ts"],
  },
  {
    name: "drain-settled-without-a-hint",
    file: "src/company/outbox/drain.ts",
    text: "if (deliveries.length > 0) await steps.notify(deliveries);",
    replacement: "if (deliveries.length > 1) await steps.notify(deliveries);",
    tests: ["test/unit/company/outbox/drain.test.ts"],
  },
  {
    name: "drain-missed-by-a-commit-that-came-meanwhile",
    file: UPKEEP,
    text: "      while (this.#isDrainRequested) {",
    replacement: "      if (this.#isDrainRequested) {",
    tests: ["test/worker/company/outbox/drain.test.ts"],
  },
  {
    name: "drain-leaves-no-alarm",
    file: UPKEEP,
    text: "      outbox.nextDueAt(),\n",
    replacement: "",
    tests: ["test/worker/company/outbox/drain.test.ts"],
  },
  {
    name: "copy-of-an-older-charge-over-a-newer",
    file: RECORDS,
    text: "where(and(isCharge, lt(transactions.version, entry.state.version)))",
    replacement: "where(isCharge)",
    tests: ["test/worker/db/projection/projection-writer.test.ts"],
  },
  {
    name: "copy-of-an-older-withdraw-over-a-newer",
    file: RECORDS,
    text: "      setWhere: sql`${withdraws.version} < excluded.version`,\n",
    replacement: "",
    tests: ["test/worker/db/projection/projection-writer.test.ts"],
  },
  {
    name: "copy-of-an-older-contradiction-over-a-newer",
    file: RECORDS,
    text: "        setWhere: sql`${contradictions.version} < excluded.version`,\n",
    replacement: "",
    tests: ["test/worker/db/projection/late-projection.test.ts"],
  },
  {
    name: "copy-repaired-over-a-newer",
    file: "src/db/projection/projection-diff.ts",
    text: "        eq(transactions.version, projectedVersion ?? 0),\n",
    replacement: "",
    tests: ["test/worker/db/projection/late-projection.test.ts"],
  },
  {
    name: "move-late-fence-of-an-earlier-step",
    file: FENCES,
    text: "       WHERE turn <= excluded.turn`,",
    replacement: "       WHERE true`,",
    tests: ["test/worker/db/sharding/migration/fences.test.ts"],
  },
  {
    name: "move-batch-of-an-earlier-step",
    file: FENCES,
    text: " AND move = ?3 AND turn = ?4)`",
    replacement: " AND move = ?3 AND epoch >= ?4)`",
    tests: ["test/worker/db/sharding/migration/fences.test.ts"],
  },
  {
    name: "move-old-row-of-an-update-not-noted",
    file: CHANGES,
    text: '{ name: "update", rows: ["OLD", "NEW"] }',
    replacement: '{ name: "update", rows: ["NEW"] }',
    tests: ["test/worker/db/sharding/migration/fences.test.ts"],
  },
  {
    name: "move-deleted-row-not-noted",
    file: CHANGES,
    text: '  { name: "delete", rows: ["OLD"] },\n',
    replacement: "",
    tests: ["test/worker/db/sharding/migration/fences.test.ts"],
  },
  {
    name: "move-notes-beyond-those-applied-forgotten",
    file: CHANGES,
    text: 'DELETE FROM move_changes WHERE company_id = ? AND number <= ?"',
    replacement: 'DELETE FROM move_changes WHERE company_id = ? AND number <= ? + 1000"',
    tests: ["test/worker/db/sharding/migration/change-capture.test.ts"],
  },
];
