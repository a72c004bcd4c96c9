import { expect, it } from "vitest";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { Browser } from "../../../../support/builders/console/browser.ts";
import {
  beginSession,
  givenPerson,
  joinCompany,
} from "../../../../support/builders/console/people.ts";

it("a form of one company does nothing in another that was chosen meanwhile", async () => {
  const [first, second] = [await givenCompany(), await givenCompany()];
  const { userId } = await givenPerson(first, "owner", { hasAuthenticator: true });
  await joinCompany(userId, second, "owner");
  const browser = new Browser(await beginSession(userId, {}));
  const page = await browser.ask("/console/team");
  const forms = page.html.split('<form method="post" action="/console/team').slice(1);
  const shown = forms.map((form) => /name="shownCompany" value="(\d+)"/.exec(form)?.[1]);
  expect(shown.length).toBeGreaterThan(0);
  expect(new Set(shown)).toEqual(new Set([String(first.id)]));
  await browser.ask("/console/company", { form: { company: String(second.id) } });
  const form = { email: `x.${first.id}@example.com`, role: "admin", shownCompany: shown[0]! };
  const refused = await browser.ask("/console/team/invitations", { form });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain("Nada foi feito");
  await browser.ask("/console/company", { form: { company: String(first.id) } });
  expect((await browser.ask("/console/team/invitations", { form })).status).toBe(200);
  const { results } = await env.DB.prepare("SELECT company_id FROM invitations WHERE email = ?")
    .bind(form.email)
    .all();
  expect(results).toEqual([{ company_id: first.id }]);
});
