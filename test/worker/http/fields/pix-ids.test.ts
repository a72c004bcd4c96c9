import { describe, expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import vectors from "../../../vectors/pix_ids.json";

/** Open Finance, payments 4.0.0: ISPB, minute in UTC, eleven characters. */
const END_TO_END_ID =
  /^E\d{8}\d{4}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])[0-5]\d[a-zA-Z0-9]{11}$/;
/** pix-api 2.9.0: the id of a charge at the bank. */
const COB_TXID = /^[a-zA-Z0-9]{26,35}$/;
/** The BR Code's own field 62-05. */
const STATIC_TXID = /^([a-zA-Z0-9]{1,25}|\*\*\*)$/;

describe("the patterns accept the same ids as the vectors", () => {
  it.each(vectors.endToEndId)("$id", ({ id, openFinanceRegex }) => {
    expect(END_TO_END_ID.test(id)).toBe(openFinanceRegex);
  });

  it.each(vectors.txid)("$txid", ({ txid, staticOk, cobOk }) => {
    expect([STATIC_TXID.test(txid), COB_TXID.test(txid)]).toEqual([staticOk, cobOk]);
  });
});

it("the ids in responses have these forms", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const { id, pix } = await givenTransaction(company);
  expect(id.replaceAll("-", "")).toMatch(COB_TXID);
  const decoded = await call(`/api/v1/pix/decode?code=${encodeURIComponent(pix.qrcode)}`);
  expect(decoded.status).toBe(200);
  expect(decoded.body.txid ?? "***").toMatch(STATIC_TXID);
  const { body } = await requestWithdraw(company);
  await runPayout(company, body.id);
  const paid = await call(`/api/Withdraw/${body.id}`, { company });
  expect(paid.body.endToEndId).toMatch(END_TO_END_ID);
});
