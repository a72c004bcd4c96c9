import { afterAll, beforeEach, expect, it } from "vitest";
import { givenApplication } from "../support/builders/companies/application.ts";
import {
  byKey,
  byPerson,
  keyByOperator,
  ownerByOperator,
  type Caller,
  type Place,
} from "../support/builders/companies/callers.ts";
import { env, givenCompany } from "../support/builders/companies/company.ts";
import { restoreLocalOperators } from "../support/builders/companies/operator.ts";
import { givenMember } from "../support/builders/console/members.ts";
import type { Answer } from "../support/builders/requests/api.ts";
import { HOUR_MS } from "../support/builders/withdraws/approvals.ts";
import { TestClock } from "../support/fakes/clock.ts";

beforeEach(restoreLocalOperators);
afterAll(restoreLocalOperators);

/** A company whose old owner is the local operator too, and an owner who is not. */
async function givenOwnerWhoOperates() {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 500_000, clock });
  const owner = await givenMember(company, "owner");
  const colleague = await givenMember(company, "owner");
  await env.DB.prepare("UPDATE operators SET user_id = ? WHERE client_id = 'operator'")
    .bind(owner.id)
    .run();
  clock.advance(30 * 24 * HOUR_MS);
  return {
    place: { company, clock },
    owner: byPerson(company, clock, owner.id),
    colleague: byPerson(company, clock, colleague.id),
  };
}

const post = (caller: Caller, path: string, body: object): Promise<Answer> =>
  caller.ask("POST", path, body, { "Idempotency-Key": crypto.randomUUID() });

/** The rights that the operator gives, and asks with. */
const GIVEN: Record<string, (place: Place) => Promise<Caller>> = {
  "a key": async ({ company, clock }) =>
    byKey(await keyByOperator(await givenApplication(company), clock), clock),
  "an owner": ownerByOperator,
};

it.each(Object.entries(GIVEN))(
  "an operator who is an owner too approves nothing that he asks for by %s of his giving",
  async (_what, given) => {
    const { place, owner, colleague } = await givenOwnerWhoOperates();
    const puppet = await given(place);
    place.clock.advance(1);
    const { body } = await post(puppet, "/api/Withdraw/request", { amount: 100_000 });
    expect(body.approval).toBe("pending");
    const path = `/api/v1/withdraws/${body.id}/approve`;
    const own = await post(owner, path, {});
    expect([own.status, own.body.detail]).toEqual([403, expect.stringContaining("the same hands")]);
    expect((await post(colleague, path, {})).status).toBe(200);
  },
);
