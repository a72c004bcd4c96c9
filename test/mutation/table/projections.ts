import type { Mutant } from "../mutant.ts";

const UPKEEP = "src/company/runtime/background-work.ts";
const RECORDS = "src/db/projection/projection-writer.ts";
const FENCES = "src/db/sharding/move/fences.ts";
const CHANGES = "src/db/sharding/move/change-capture.ts";

/** The drain of the outbox, projections and company moves. */
export const projectionMutants: Mutant[] = [
  {
    name: "drain-step-without-timeout",
    file: UPKEEP,
    text: "const DRAIN_STEP_TIMEOUT_MS = 20_000;",
    replacement: "const DRAIN_STEP_TIMEOUT_MS = 2_000_000_000;",
    tests: ["test/worker/company/outbox/drain-limits.test.ts"],
  },
  {
    name: "drain-blocks-its-request",
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
    name: "drain-done-without-notification",
    file: "src/company/outbox/drain.ts",
    text: "if (deliveries.length > 0) await steps.notify(deliveries, entries);",
    replacement: "if (deliveries.length > 1) await steps.notify(deliveries, entries);",
    tests: ["test/unit/company/outbox/drain.test.ts"],
  },
  {
    name: "drain-misses-concurrent-commit",
    file: UPKEEP,
    text: "      while (this.#isDrainRequested) {",
    replacement: "      if (this.#isDrainRequested) {",
    tests: ["test/worker/company/outbox/drain.test.ts"],
  },
  {
    name: "drain-leaves-no-alarm",
    file: "src/company/open.ts",
    text: "    outbox: outbox.next,\n",
    replacement: "",
    tests: ["test/worker/company/outbox/drain.test.ts"],
  },
  {
    name: "projection-older-charge-overwrites-newer",
    file: RECORDS,
    text: "where(and(isCharge, lt(transactions.version, entry.state.version)))",
    replacement: "where(isCharge)",
    tests: ["test/worker/db/projection/projection-writer.test.ts"],
  },
  {
    name: "projection-older-withdraw-overwrites-newer",
    file: RECORDS,
    text: "      setWhere: sql`${withdraws.version} < excluded.version`,\n",
    replacement: "",
    tests: ["test/worker/db/projection/projection-writer.test.ts"],
  },
  {
    name: "projection-older-contradiction-overwrites-newer",
    file: RECORDS,
    text: "        setWhere: sql`${contradictions.version} < excluded.version`,\n",
    replacement: "",
    tests: ["test/worker/db/projection/late-projection.test.ts"],
  },
  {
    name: "projection-repair-overwrites-newer",
    file: "src/db/projection/projection-diff.ts",
    text: "        eq(transactions.version, projectedVersion ?? 0),\n",
    replacement: "",
    tests: ["test/worker/db/projection/late-projection.test.ts"],
  },
  {
    name: "migration-late-fence-of-earlier-step",
    file: FENCES,
    text: "       WHERE turn <= excluded.turn`,",
    replacement: "       WHERE true`,",
    tests: ["test/worker/db/sharding/move/fences.test.ts"],
  },
  {
    name: "migration-batch-of-earlier-step",
    file: FENCES,
    text: " AND move = ?3 AND turn = ?4)`",
    replacement: " AND move = ?3 AND epoch >= ?4)`",
    tests: ["test/worker/db/sharding/move/fences.test.ts"],
  },
  {
    name: "migration-old-row-of-update-not-captured",
    file: CHANGES,
    text: '{ name: "update", rows: ["OLD", "NEW"] }',
    replacement: '{ name: "update", rows: ["NEW"] }',
    tests: ["test/worker/db/sharding/move/fences.test.ts"],
  },
  {
    name: "migration-deleted-row-not-captured",
    file: CHANGES,
    text: '  { name: "delete", rows: ["OLD"] },\n',
    replacement: "",
    tests: ["test/worker/db/sharding/move/fences.test.ts"],
  },
  {
    name: "migration-unapplied-changes-deleted",
    file: CHANGES,
    text: 'DELETE FROM move_changes WHERE company_id = ? AND number <= ?"',
    replacement: 'DELETE FROM move_changes WHERE company_id = ? AND number <= ? + 1000"',
    tests: ["test/worker/db/sharding/move/change-capture.test.ts"],
  },
];
