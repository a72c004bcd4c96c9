import { afterEach, expect, it, vi } from "vitest";
import { waitUntilDrained, givenCompany } from "../../../support/builders/companies/company.ts";
import { outboxLength } from "../../../support/probes/ledger/ledger.ts";
import { replaceInObject } from "../../../support/faults/object.ts";
import { givenSettled } from "../../../support/builders/operations/object-operations.ts";

/** What is still short to somebody who waits; what is longer never ends here. */
const SHORT_MS = 60_000;
/** What a client waits for without a thought. */
const WAIT_MAX_MS = 5_000;
/** A wait for D1 itself would never end. */
const TEST_MAX_MS = 10_000;

afterEach(() => void vi.restoreAllMocks());

it(
  "a hanging D1 write delays no request and times out, so that the next drain repeats it",
  async () => {
    const company = await givenCompany();
    let hangs = true;
    await replaceInObject(company, {
      projection: (real) => ({
        write: (...batch) => (hangs ? new Promise<never>(() => undefined) : real.write(...batch)),
      }),
    });
    vi.spyOn(scheduler, "wait").mockImplementation((ms) =>
      hangs && ms <= SHORT_MS ? Promise.resolve() : new Promise(() => undefined),
    );

    await givenSettled(company, 2_500);
    expect(await outboxLength(company)).toBe(1);
    hangs = false;
    await waitUntilDrained(company);

    expect(await outboxLength(company)).toBe(0);
  },
  TEST_MAX_MS,
);

it(
  "a request returns while a D1 write hangs, long before its timeout",
  async () => {
    const company = await givenCompany();
    const hanging = Promise.withResolvers<never>();
    const restore = await replaceInObject(company, {
      projection: () => ({ write: () => hanging.promise }),
    });
    vi.spyOn(scheduler, "wait").mockImplementation((ms) =>
      ms <= WAIT_MAX_MS ? Promise.resolve() : new Promise(() => undefined),
    );

    await givenSettled(company, 2_500);
    hanging.reject(new Error("D1 has gone"));
    await restore();
    vi.restoreAllMocks();
    await waitUntilDrained(company);

    expect(await outboxLength(company)).toBe(0);
  },
  TEST_MAX_MS,
);
