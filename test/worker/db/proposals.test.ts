import { expect, it } from "vitest";
import {
  addProposal,
  listProposals,
  type NewProposal,
} from "../../../src/db/operator/proposals.ts";
import { PROPOSAL_WINDOW_MS } from "../../../src/domain/operators/proposal.ts";
import { env, givenCompany } from "../../support/builders/companies/company.ts";

const DAY = 86_400_000;

it("lists as expired those that are marked and those whose time is over, the newest first, by pages", async () => {
  const { id: companyId } = await givenCompany();
  const start = Date.UTC(2026, 0, 1);
  const propose = (target: string, proposedAt: number) =>
    addProposal(env, proposalOf({ companyId, target, proposedAt }));
  await propose("withdraw:1", start);
  await propose("withdraw:2", start);
  await propose("withdraw:3", start);
  const afterThem = start + PROPOSAL_WINDOW_MS + DAY;
  // Marks the first and the third of these as expired; the second still has the status `pending`.
  await propose("withdraw:1", afterThem);
  await propose("withdraw:3", afterThem);

  const list = (before: number, limit: number) =>
    listProposals(env, {
      status: "expired",
      companyId,
      target: null,
      before,
      limit,
      nowMs: afterThem,
    });
  const first = await list(Number.MAX_SAFE_INTEGER, 2);
  const second = await list(first.at(-1)!.number, 2);

  const asListed = [...first, ...second].map(({ target, status }) => [target, status]);
  expect(asListed).toEqual([
    ["withdraw:3", "expired"],
    ["withdraw:2", "pending"],
    ["withdraw:1", "expired"],
  ]);
  expect(first).toHaveLength(2);
});

function proposalOf(fields: Pick<NewProposal, "companyId" | "target" | "proposedAt">): NewProposal {
  return {
    ...fields,
    id: crypto.randomUUID(),
    action: "payout.decide",
    request: { outcome: "failed" },
    reason: "The bank's letter says so.",
    evidence: null,
    proposedBy: "operator",
    proposedByName: "Operator",
    proposedByUser: null,
    expiresAt: fields.proposedAt + PROPOSAL_WINDOW_MS,
    provider: null,
    providerAnswer: null,
  };
}
