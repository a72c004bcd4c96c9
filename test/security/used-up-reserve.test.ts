import { describe, expect, it } from "vitest";
import { QUOTAS } from "../../src/domain/storage/quotas.ts";
import { givenApplication } from "../support/builders/companies/application.ts";
import { applicationBy, byKey, byPerson } from "../support/builders/companies/callers.ts";
import {
  givenCompany,
  inAccount,
  type TestCompany,
} from "../support/builders/companies/company.ts";
import { useUpObjectQuota } from "../support/builders/companies/quotas.ts";
import { givenMember } from "../support/builders/console/members.ts";
import { TestClock } from "../support/fakes/clock.ts";

const SETTINGS = "/api/v1/company/settings";

/** Uses up all that a company may store today, with what is kept for taking rights away. */
async function useUpReserve(company: TestCompany, clock: TestClock): Promise<void> {
  await useUpObjectQuota(company, "eventBytesPerDay", clock.now());
  await inAccount(company.id, (_, { storage }) => {
    storage.sql.exec("UPDATE company SET usage_bytes = ?", QUOTAS.eventBytesPerDay * 1.2);
  });
}

describe("a thief who uses up the quotas and their reserve", () => {
  it("does not keep the owner from refusing what he loosened, or from taking his rights away", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ balance: 500_000, clock });
    const thief = byKey(company, clock);
    const owner = byPerson(company, clock, (await givenMember(company, "owner")).id);
    const admin = byPerson(company, clock, (await givenMember(company, "admin")).id);
    await thief.ask("PUT", SETTINGS, { withdrawApprovalAbove: 100 });
    expect((await thief.ask("PUT", SETTINGS, { withdrawApprovalAbove: null })).status).toBe(202);
    const puppet = await applicationBy(thief, { company, clock });
    const bystander = await givenApplication(company);
    await useUpReserve(company, clock);

    const pending = `${SETTINGS}/pending/withdrawApprovalAbove`;
    for (const other of [byKey(bystander, clock), admin]) {
      const refused = await other.ask("DELETE", pending);
      expect([refused.status, refused.body.code]).toEqual([429, "QUOTA_EXCEEDED"]);
    }
    expect((await owner.ask("DELETE", pending)).body).toMatchObject({
      withdrawApprovalAbove: 100,
      pending: [],
    });
    for (const id of [puppet.id, thief.id]) {
      expect((await owner.ask("DELETE", `/api/v1/applications/${id}`)).status).toBe(200);
    }
    expect((await thief.ask("GET", SETTINGS)).status).toBe(401);
  });

  it("still makes nothing more: what gives rights is refused to the owner as well", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const owner = byPerson(company, clock, (await givenMember(company, "owner")).id);
    await useUpReserve(company, clock);
    const body = { email: `new_${company.id}@a.example`, role: "viewer" };
    expect((await owner.ask("POST", "/api/v1/people/invitations", body)).status).toBe(429);
  });
});
