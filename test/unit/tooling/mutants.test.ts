import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../../tools/lib/root.ts";
import { definitionErrorOf, runMutants } from "../../mutation/run.ts";
import { MUTANTS } from "../../mutation/table.ts";

/** The number that was required when the table was made. */
const MUTANTS_MIN = 60;

it("the table has the required number of mutants, each with a unique name", () => {
  const names = new Set(MUTANTS.map(({ name }) => name));
  expect(names.size).toBe(MUTANTS.length);
  expect(names.size).toBeGreaterThanOrEqual(MUTANTS_MIN);
});

it("each mutant's text appears exactly once in its file, and its tests exist", () => {
  const mistakes = MUTANTS.flatMap((mutant) => {
    const gone = mutant.tests.filter((test) => !existsSync(join(ROOT, test)));
    const mistake =
      definitionErrorOf(mutant, ROOT) ?? (gone.length > 0 ? `no test ${gone.join()}` : null);
    return mistake === null ? [] : [`${mutant.name}: ${mistake}`];
  });
  expect(mistakes).toEqual([]);
});

it("a mutant is killed by its tests in a copy, and a mutant without tests survives", async () => {
  const killed = MUTANTS.find(({ name }) => name === "fee-rounded-down");
  if (killed === undefined) throw new Error("the mutant is not in the table");
  const unseen = { ...killed, name: "unseen", tests: ["test/unit/domain/shared/money.test.ts"] };
  const fates = await runMutants([killed, unseen], () => undefined);
  expect(Object.fromEntries(fates.map(({ mutant, outcome }) => [mutant.name, outcome]))).toEqual({
    "fee-rounded-down": { kind: "killed", by: expect.stringContaining("fee") },
    unseen: { kind: "survived" },
  });
});
