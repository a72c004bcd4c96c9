import { afterEach, expect, it, vi } from "vitest";
import { drained } from "../../../support/builders/commands.ts";
import { givenCompany } from "../../../support/builders/company.ts";
import { outboxLength } from "../../../support/builders/ledger.ts";
import { replaceInObject } from "../../../support/probes/object.ts";
import { givenSettled } from "../../../support/builders/object-operations.ts";

/** What is still short to somebody who waits; what is longer never ends here. */
const SHORT_MS = 60_000;
/** What a client waits for without a thought. */
const PATIENCE_MS = 5_000;
/** Whoever waited for D1 itself would wait for ever. */
const TEST_MAX_MS = 10_000;

afterEach(() => void vi.restoreAllMocks());

it(
  "a write to D1 that hangs keeps no request waiting and is given up, so that the next drain makes it",
  async () => {
    const company = await givenCompany();
    let hangs = true;
    await replaceInObject(company, {
      records: (real) => ({
        apply: (...batch) => (hangs ? new Promise<never>(() => undefined) : real.apply(...batch)),
      }),
    });
    vi.spyOn(scheduler, "wait").mockImplementation((ms) =>
      hangs && ms <= SHORT_MS ? Promise.resolve() : new Promise(() => undefined),
    );

    await givenSettled(company, 2_500);
    expect(await outboxLength(company)).toBe(1);
    hangs = false;
    await drained(company);

    expect(await outboxLength(company)).toBe(0);
  },
  TEST_MAX_MS,
);

it(
  "a request is answered while a write to D1 hangs, long before that is given up",
  async () => {
    const company = await givenCompany();
    const hanging = Promise.withResolvers<never>();
    const restore = await replaceInObject(company, {
      records: () => ({ apply: () => hanging.promise }),
    });
    vi.spyOn(scheduler, "wait").mockImplementation((ms) =>
      ms <= PATIENCE_MS ? Promise.resolve() : new Promise(() => undefined),
    );

    await givenSettled(company, 2_500);
    hanging.reject(new Error("D1 has gone"));
    await restore();
    vi.restoreAllMocks();
    await drained(company);

    expect(await outboxLength(company)).toBe(0);
  },
  TEST_MAX_MS,
);
