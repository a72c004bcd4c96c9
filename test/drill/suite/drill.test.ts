import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { deadLetter } from "../faults/outside.ts";
import { rowChangedBeforeCheck } from "../faults/stored.ts";
import { runShort } from "../lib/run.ts";

/** Two alarms, two looks at the money, and a start. */
const TIMEOUT_MS = 300_000;

// `npm run drill` plays all of them in real time, and waits for their ends.
it(
  "two faults are told by their alarms, mended by their pages, and cost no centavo",
  async () => {
    const stateDir = mkdtempSync(join(tmpdir(), "centavo-drill-"));
    const lines: string[] = [];
    try {
      const played = await runShort([rowChangedBeforeCheck(), deadLetter()], {
        stateDir,
        log: (line) => lines.push(line),
      });
      for (const { fault, alarmAfterSeconds, moneyRight } of played) {
        expect(alarmAfterSeconds, `${fault}: ${lines.join("\n")}`).not.toBeNull();
        expect(moneyRight, `${fault}: ${lines.join("\n")}`).toBe(true);
      }
    } finally {
      rmSync(stateDir, { recursive: true });
    }
  },
  TIMEOUT_MS,
);
