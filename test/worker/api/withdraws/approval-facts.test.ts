import { expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { decide, givenPending } from "../../../support/builders/withdraws/approvals.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { anyTime } from "../../../support/probes/http/matchers.ts";

it("an approver reads why a withdraw waits, how often its key was paid and the balance around it", async () => {
  const { company, approver } = await givenPending();
  const first = await call("/api/v1/withdraws/1/approval", { company: approver });
  await expectDocumented("GET /api/v1/withdraws/{id}/approval", first);
  expect(first.body.data).toEqual({
    requester: { role: null, since: null },
    receiver: { name: null, document: expect.any(String) },
    earlier: { count: 0, hasMore: false, lastAt: null },
    rule: "above_limit",
    limit: 2_000,
    balanceBefore: 50_000,
    balanceAfter: 47_000,
  });
  await decide(approver, "approve", 1);
  await runPayout(company, 1);
  await requestWithdraw(company, { amount: 3_000 }, { key: "wd_2" });
  const second = await call("/api/v1/withdraws/2/approval", { company: approver });
  expect(second.body.data).toMatchObject({
    earlier: { count: 1, hasMore: false, lastAt: anyTime },
    balanceBefore: 47_000,
    balanceAfter: 44_000,
  });
});

it("NOT_FOUND: a withdraw that is none", async () => {
  const { approver } = await givenPending();
  const answer = await call("/api/v1/withdraws/99/approval", { company: approver });
  await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
});
