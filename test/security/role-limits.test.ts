import { describe, expect, it } from "vitest";
import { PERSON_ROLES, type PersonRole } from "../../src/domain/access/person-role.ts";
import { byKey, byPerson } from "../support/builders/companies/callers.ts";
import { givenCompany } from "../support/builders/companies/company.ts";
import { givenMember } from "../support/builders/console/members.ts";
import { TestClock } from "../support/fakes/clock.ts";

const SETTINGS = "/api/v1/company/settings";
const INVITATIONS = "/api/v1/people/invitations";

/** A company whose admins send back R$ 500.00 a day each, as its support does, with such an admin. */
async function givenLimitedAdmin() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const roleLimits = { admin: { refundDailyLimit: 50_000 } };
  const limited = await byKey(company, clock).ask("PUT", SETTINGS, { roleLimits });
  expect(limited.status).toBe(200);
  const admin = byPerson(company, clock, (await givenMember(company, "admin")).id);
  return { clock, company, admin };
}

describe("a person whose role sends back R$ 500.00 a day", () => {
  it("does not have ten times as much by ten people of his own", async () => {
    const { company, admin } = await givenLimitedAdmin();
    const roles = PERSON_ROLES.filter((role) => role !== "owner");
    const invited: Partial<Record<PersonRole, number>> = {};
    for (const role of roles) {
      const email = `${role}_${company.id}@a.example`;
      invited[role] = (await admin.ask("POST", INVITATIONS, { email, role })).status;
    }
    expect(invited).toEqual({
      admin: 403,
      finance: 403,
      support: 403,
      developer: 201,
      viewer: 201,
      cashier: 201,
    });
  });

  it("nor by the role of somebody who sends back nothing; but lowers one, and who has no limit gives any", async () => {
    const { clock, company, admin } = await givenLimitedAdmin();
    const owner = byPerson(company, clock, (await givenMember(company, "owner")).id);
    const change = async (by: typeof admin, id: string, role: PersonRole) =>
      (await by.ask("PATCH", `/api/v1/people/${id}`, { role })).status;
    const [viewer, finance] = [
      await givenMember(company, "viewer"),
      await givenMember(company, "finance"),
    ];
    expect(await change(admin, viewer.id, "support")).toBe(403);
    expect(await change(admin, finance.id, "support")).toBe(200);
    expect(await change(owner, viewer.id, "finance")).toBe(200);
  });
});
