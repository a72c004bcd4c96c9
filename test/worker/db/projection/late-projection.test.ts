import { expect, it } from "vitest";
import { noDiffs, repairProjection } from "../../../../src/db/projection/projection-diff.ts";
import { projectionWriter } from "../../../../src/db/projection/projection-writer.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import type { Contradiction } from "../../../../src/domain/reconciliation/contradiction.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
} from "../../../support/builders/companies/company.ts";
import { givenSettled } from "../../../support/builders/operations/object-operations.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";

const OPENED: Contradiction = {
  number: 1,
  finding: "payout_status:withdraw:1:Paid",
  kind: "payout_status",
  object: "withdraw:1",
  said: {},
  booked: {},
  amount: 500,
  held: 500,
  status: "open",
  since: 1,
  proposal: null,
  decision: null,
  version: 1,
};

it("a late older state of a contradiction does not overwrite a newer one", async () => {
  const company = await givenCompany();
  const tell = (contradiction: Contradiction, number: number) => {
    const event = { number, type: "contradiction.opened", at: 1 } as const;
    return projectionWriter(env).write(
      company.id,
      [{ kind: "contradiction", contradiction, event }],
      1,
    );
  };
  await tell({ ...OPENED, status: "decided", version: 2 }, 2);
  await tell(OPENED, 1);

  const row = await env.DB.prepare(
    "SELECT status, version FROM contradictions WHERE company_id = ?",
  )
    .bind(company.id)
    .first();
  expect(row).toEqual({ status: "decided", version: 2 });
});

it("a repair with outdated charge data does not revert a newer projection", async () => {
  const company = await givenCompany();
  const { id } = await givenSettled(company, 2_500);
  await waitUntilDrained(company);
  const state = await callsTo(company.id).findCharge(id);
  if (state === null) throw new Error("the charge is not there");
  const before = await transactionsOf(company);

  const stale = { ...state, status: "waiting_payment", paidAmount: 0 } as const;
  const { version } = state;
  const snapshot = { transactionId: id, amount: 2_500, state: stale, boleto: null };
  const read = {
    snapshot,
    version,
    projectedVersion: version - 1,
    mismatches: [],
    isRewritable: true,
  };
  await repairProjection(env, company.id, { ...noDiffs(), charges: [read] });

  expect(await transactionsOf(company)).toEqual(before);
});
