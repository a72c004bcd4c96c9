import { describe, expect, it } from "vitest";
import { systemDependencies } from "../../../../../src/dependencies.ts";
import { GATEWAY_TRAIL } from "../../../../../src/domain/access/audit-entry.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { usePauses } from "../../../../support/builders/companies/pauses.ts";
import type { Answer } from "../../../../support/builders/requests/api.ts";
import { repeatThroughCrashes } from "../../../../support/faults/crashes.ts";
import { auditEntriesOf } from "../../../../support/probes/database/audit-rows.ts";

const SEEN_MS = 15_000;

const world = usePauses();
const { pauses } = systemDependencies;

/** Throws where the isolate died. */
async function done(answer: Promise<Answer>): Promise<void> {
  const { status } = await answer;
  if (status !== 200) throw new Error(`not done: ${status}`);
}

const entriesOf = async (action: string) =>
  (await auditEntriesOf(GATEWAY_TRAIL)).filter((entry) => entry.action === action).length;

describe.each(["before", "after"] as const)("an isolate crashes %s each call of", (when) => {
  it("a pause: what it stopped stays so, it is in the trail, and a repeat ends it", async () => {
    const company = await givenCompany();
    const recorded = await entriesOf("service.pause");
    let attempt = 0;
    const pausing = (isolate: typeof env) =>
      done(world.pause(`Attempt ${(attempt += 1)}.`, isolate));

    let pausedBy: string | null = null;
    const crashes = await repeatThroughCrashes(when, pausing, async () => {
      const { service } = await pauses.ask(env);
      pausedBy ??= service === null ? null : service.reason;
      expect(service?.reason ?? null).toBe(pausedBy);
      if (service !== null) expect(await entriesOf("service.pause")).toBeGreaterThan(recorded);
      world.clock.advance(SEEN_MS);
      expect((await createTransaction(company)).status).toBe(service === null ? 200 : 503);
    });

    expect(crashes).toContain("state.pause");
    expect(pausedBy !== null).toBe(when === "after");
    expect((await pauses.ask(env)).service?.reason).toBe(pausedBy ?? `Attempt ${attempt}.`);
    expect((await createTransaction(company)).status).toBe(503);
  });

  it("a resume: the service goes on once the object has it, and a repeat changes nothing", async () => {
    const company = await givenCompany();
    await world.pause();
    const resuming = (isolate: typeof env) => done(world.resume("D1 is back.", isolate));

    const crashes = await repeatThroughCrashes(when, resuming, async (crash) => {
      const { service } = await pauses.ask(env);
      expect(service === null).toBe(when === "after" && crash === "state.resume");
      world.clock.advance(SEEN_MS);
      expect((await createTransaction(company)).status).toBe(service === null ? 200 : 503);
    });

    expect(crashes).toContain("state.resume");
    expect((await createTransaction(company)).status).toBe(200);
  });
});
