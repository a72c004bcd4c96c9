import { expect, it } from "vitest";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { changeSettings } from "../../../support/builders/withdraws/approvals.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import { tamper } from "../../../support/faults/tamper.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";

const PATH = "/api/v1/company/withdraw-policy/backtest";

const backtest = (company: TestCompany, settings: object) =>
  call(PATH, { company, body: { settings } });

async function givenWithdraws(...amounts: number[]) {
  const company = await givenCompany({ balance: 50_000 });
  for (const amount of amounts) {
    await requestWithdraw(company, { amount, pixKey: "maria@example.com" });
  }
  return company;
}

it("names what a policy would have stopped, with its rule, and changes nothing", async () => {
  const company = await givenWithdraws(1_000, 2_000, 9_000, 1_500);
  const before = (await call("/api/v1/company/settings", { company })).body;

  const answer = await expectNoSideEffects(company, () =>
    backtest(company, { withdrawDailyLimit: 4_000, withdrawApprovalAbove: 1_900 }),
  );

  expect(answer.status).toBe(200);
  await expectDocumented(`POST ${PATH}`, answer);
  const { data } = answer.body;
  expect(data).toMatchObject({
    checked: 4,
    stoppedCount: 3,
    stoppedAmount: 12_500,
    truncated: false,
  });
  expect(data.stopped.map(({ withdrawId, rule }: any) => [withdrawId, rule])).toEqual([
    [2, "withdrawApprovalAbove"],
    [3, "withdrawDailyLimit"],
    [4, "withdrawDailyLimit"],
  ]);
  expect(Date.parse(data.to) - Date.parse(data.from)).toBe(90 * 86_400_000);
  expect((await call("/api/v1/company/settings", { company })).body).toEqual(before);
});

it("leaves out withdraws that gave their money back, and takes the company's own settings", async () => {
  const company = await givenWithdraws(1_099, 1_000);
  await runPayout(company, 1);
  await changeSettings(company, { withdrawKeyDailyLimit: 999 });
  const { data } = (await backtest(company, {})).body;
  expect(data).toMatchObject({ checked: 1, stoppedAmount: 1_000 });
  expect(data.stopped[0]).toMatchObject({ withdrawId: 2, rule: "withdrawKeyDailyLimit" });
  expect((await backtest(company, { withdrawKeyDailyLimit: null })).body.data.stopped).toEqual([]);
});

it("counts a listed key as listed before", async () => {
  const company = await givenWithdraws(1_000);
  await requestWithdraw(company);
  const enforced = { allowedPixKeys: { enforced: true } };
  expect((await backtest(company, enforced)).body.data.stopped).toMatchObject([
    { withdrawId: 1, rule: "allowedPixKeys" },
  ]);
  await call("/api/v1/company/pix-keys", { company, body: { pixKey: "maria@example.com" } });
  expect((await backtest(company, enforced)).body.data.stopped).toEqual([]);
});

it("reads the newest 10,000 withdraws and says so", async () => {
  const company = await givenWithdraws(1_000);
  await runPayout(company, 1);
  await tamper(
    company,
    `WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10100)
     INSERT INTO withdraws (id, payout_id, idempotency_key, request_hash, amount, fee, currency,
       pix_key, pix_key_type, creditor_document, description, status, version, event_sequence,
       created_at, updated_at, checks, lease_until, movements, day_sum)
     SELECT n, payout_id, 'past-' || n, request_hash, amount, fee, currency, pix_key, pix_key_type,
       creditor_document, description, 'Failed', version, event_sequence, created_at, updated_at,
       checks, lease_until, movements, day_sum FROM numbers, withdraws WHERE id = 1`,
    "UPDATE withdraws SET status = 'Paid' WHERE id > 7000",
  );
  const { data } = (await backtest(company, { withdrawApprovalAbove: 0 })).body;
  await tamper(company, "DELETE FROM withdraws WHERE id > 1");
  expect(data).toMatchObject({ checked: 3_100, stoppedCount: 3_100, truncated: true });
  expect(data.stopped).toHaveLength(1_000);
  expect(data.stopped.at(-1).withdrawId).toBe(10_100);
});

it.each([
  [{}, "settings"],
  [{ settings: { withdrawDailyLimit: -1 } }, "settings.withdrawDailyLimit"],
  [{ settings: { retentionDays: 1 } }, "settings.retentionDays"],
])("VALIDATION_FAILED: %j", async (body, field) => {
  const company = await givenCompany();
  await expectProblem(await call(PATH, { company, body }), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: [field],
  });
});
