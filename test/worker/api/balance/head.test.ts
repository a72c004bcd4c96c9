import { expect, it } from "vitest";
import { GENESIS_HASH } from "../../../../src/domain/ledger/movement-hash.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import {
  updateSettings,
  refund,
  resolveDispute,
  simulate,
} from "../../../support/builders/operations/refund.ts";
import { givenPaid, givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";

async function headOf(company: TestCompany): Promise<{ sequence: number; hash: string }> {
  const { ledgerSequence, ledgerHash } = await balanceOf(company);
  return { sequence: ledgerSequence, hash: ledgerHash };
}

async function lastLineOf(company: TestCompany): Promise<{ sequence: number; hash: string }> {
  const { body } = await call(`/api/Balance/statement/${company.id}?currency=BRL&limit=100`, {
    company,
  });
  expect(body.hasMore).toBe(false);
  const { sequence, hash } = body.items.at(-1);
  return { sequence, hash };
}

it("the ledger head is 0 and zeros while the statement is empty", async () => {
  const company = await givenCompany();
  expect(await headOf(company)).toEqual({ sequence: 0, hash: GENESIS_HASH });
  await givenTransaction(company);
  expect(await headOf(company)).toEqual({ sequence: 0, hash: GENESIS_HASH });
});

it("the ledger head is the statement's last line after every kind of movement", async () => {
  const company = await givenCompany();
  await updateSettings(company, { fees: { PIX: { fixed: 10 }, WITHDRAW: { fixed: 20 } } });
  const { id } = await givenPaid(company, 5_000);
  const { id: other } = await givenPaid(company, 3_000);
  const moves: [string, () => Promise<unknown>][] = [
    ["nothing", async () => undefined],
    ["a withdraw", () => requestWithdraw(company)],
    ["its payout", () => runPayout(company, 1)],
    ["a refund", () => refund(company, id, 1_000)],
    ["a dispute", () => simulate(company, id, "dispute")],
    ["its end", () => resolveDispute(company, id, "won")],
    ["a second payment", () => pay(company, id, 700)],
    ["a chargeback", () => simulate(company, other, "chargeback")],
    [
      "a payment consumed by its fee",
      async () => {
        await updateSettings(company, { fees: { PIX: { basisPoints: 10_000 } } });
        await givenPaid(company, 100);
      },
    ],
  ];
  const seen = new Set<string>();
  for (const [what, move] of moves) {
    await move();
    const head = await headOf(company);
    expect(head, what).toEqual(await lastLineOf(company));
    seen.add(`${head.sequence} ${head.hash}`);
  }
  expect(seen.size).toBe(moves.length);
});

it("the ledger head does not change when no money moves", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const before = await headOf(company);
  const { id } = await givenTransaction(company);
  await simulate(company, id, "expire");
  await updateSettings(company, { frozen: true, fees: { PIX: { fixed: 1 } } });
  await requestWithdraw(company);
  expect(await headOf(company)).toEqual(before);
});
