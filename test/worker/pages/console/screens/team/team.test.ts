import { expect, it } from "vitest";
import {
  givenCompany,
  type TestCompany,
} from "../../../../../support/builders/companies/company.ts";
import { call } from "../../../../../support/builders/requests/api.ts";
import { givenMember } from "../../../../../support/builders/console/members.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";

const TEAM = "/console/team";
const peopleOf = async (company: TestCompany) => (await call("/api/v1/people", { company })).body;

it("shows members, roles and what each may do, in both languages", async () => {
  const company = await givenCompany();
  await givenMember(company, "support", "<script>alert(1)</script>");
  await givenMember(company, "finance", "Fina");
  for (const [language, texts] of [
    [
      "pt-BR",
      [
        "Equipe",
        "Atendimento",
        "ver cobranças",
        "devolve ou estorna até R$",
        "Falta configurar",
        "Não é exigido",
      ],
    ],
    [
      "en",
      ["Team", "Support", "see charges", "refunds up to R$500.00", "Not set up", "Not asked for"],
    ],
  ] as const) {
    const { status, html } = await visit(company, TEAM, { language });
    expect(status).toBe(200);
    for (const text of texts) expect(html).toContain(text);
    expect(html).toContain("&lt;script&gt;alert(1)");
    expect(html).not.toMatch(/undefined|NaN|>null<|<script>alert/);
  }
});

it("an invitation's link is shown once; sent twice, one invitation is open", async () => {
  const company = await givenCompany();
  const form = { email: "ana@example.com", role: "finance" };
  const first = await visit(company, `${TEAM}/invitations`, { form });
  expect(first.status).toBe(200);
  expect(first.headers.get("Cache-Control")).toContain("no-store");
  expect(first.html).toMatch(
    /<code>http:\/\/localhost:8787\/console\/invitation\/[\w-]{43}<\/code>/,
  );
  await visit(company, `${TEAM}/invitations`, { form });
  expect((await peopleOf(company)).invitations).toMatchObject([form]);
  const later = await visit(company, TEAM);
  expect(later.html).toContain("ana@example.com");
  expect(later.html).not.toContain("/console/invitation/");
});

it("VALIDATION_FAILED: an e-mail that is none keeps what was typed", async () => {
  const company = await givenCompany();
  const form = { email: "ana", role: "finance" };
  const { status, html } = await visit(company, `${TEAM}/invitations`, { form });
  expect(status).toBe(400);
  expect(html).toContain('value="ana"');
  expect(html).toContain('<option value="finance" selected="">');
  expect(html).toContain("Informe um e-mail válido");
});

it("a role is changed, a person removed and an invitation revoked", async () => {
  const company = await givenCompany();
  const { id } = await givenMember(company, "viewer");
  const form = { role: "finance" };
  const changed = await visit(company, `${TEAM}/people/${id}/role`, { form });
  expect(changed.headers.get("Location")).toBe("/console/team?done=changed");
  const page = await visit(company, "/console/team?done=changed");
  expect(page.html).toContain("Papel alterado.");
  expect((await peopleOf(company)).items).toContainEqual(
    expect.objectContaining({ id, role: "finance" }),
  );
  await visit(company, `${TEAM}/people/${id}/remove`, { form: {} });
  expect(JSON.stringify((await peopleOf(company)).items)).not.toContain(id);
  await visit(company, `${TEAM}/invitations`, { form: { email: "a@b.co", role: "viewer" } });
  const [invitation] = (await peopleOf(company)).invitations;
  await visit(company, `${TEAM}/invitations/${invitation.id}/revoke`, { form: {} });
  expect((await peopleOf(company)).invitations).toEqual([]);
});

it("FORBIDDEN: an admin is offered no owner's role, and may not take one away", async () => {
  const company = await givenCompany();
  const { id } = await givenMember(company, "owner");
  const { html } = await visit(company, TEAM, { role: "admin" });
  expect(html).not.toContain('<option value="owner"');
  expect(html).not.toContain(`/people/${id}/`);
  const form = { role: "viewer" };
  const refused = await visit(company, `${TEAM}/people/${id}/role`, { role: "admin", form });
  expect(refused.status).toBe(403);
  expect(refused.html).toContain("O seu papel não dá nem tira este papel.");
});

it("INVALID_STATE: the last owner stays", async () => {
  const company = await givenCompany();
  await visit(company, TEAM);
  const { id } = (await peopleOf(company)).items[0];
  const { status } = await visit(company, `${TEAM}/people/${id}/remove`, { form: {} });
  expect(status).toBe(409);
});
