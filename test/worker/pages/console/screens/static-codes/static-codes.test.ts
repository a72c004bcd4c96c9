import { expect, it } from "vitest";
import {
  givenCompany,
  waitUntilDrained,
} from "../../../../../support/builders/companies/company.ts";
import {
  actOnLink,
  givenLink,
  transactionOf,
} from "../../../../../support/builders/charges/payment-links.ts";
import { expectClean, keyOf } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { call } from "../../../../../support/builders/requests/api.ts";

const PATH = "/console/static-codes";

it("a code is made once by a form that is sent twice, and its sign shows whom one pays", async () => {
  const company = await givenCompany();
  const empty = await visit(company, PATH);
  expectClean(empty.html);
  expect(empty.html).toContain("Nenhum código ainda");
  const form = {
    idempotencyKey: keyOf(empty.html),
    description: "<b>Balcão</b>",
    amount: "15,00",
  };
  const made = await visit(company, PATH, { form });
  const again = await visit(company, PATH, { form });
  const location = made.headers.get("Location") ?? "";
  expect([made.status, again.headers.get("Location")]).toEqual([303, location]);
  const page = await visit(company, location);
  expectClean(page.html);
  expect(page.html).toContain("O código foi criado");
  expect(page.html).toMatch(/R\$\s15,00/);
  const sign = await visit(company, location.replace(/\?.*/, "/print"), { language: "en" });
  expectClean(sign.html);
  expect(sign.html).toContain("Pay with Pix");
  expect(sign.html).toContain("&lt;b&gt;Balcão&lt;/b&gt;");
  expect(sign.html).not.toContain("<nav");
  expect(sign.html).toContain('class="sign a4"');
  const card = await visit(company, location.replace(/\?.*/, "/print?sheet=a6"));
  expect(card.html).toContain('class="sign a6"');
});

it("a code and a link list their own payments alone", async () => {
  const company = await givenCompany();
  const { body } = await call("/api/v1/pix/static-codes", { company, body: {} });
  const path = `/api/v1/sandbox/pix/static-codes/${body.data.id}/pay`;
  const paid = await call(path, { company, body: { amount: 1_234 } });
  expect(paid.status, paid.text).toBeLessThan(300);
  const link = await givenLink(company);
  const charge = transactionOf(await actOnLink(link.slug));
  await waitUntilDrained(company);
  const ofCode = await visit(company, `${PATH}/${body.data.id}`);
  const ofLink = await visit(company, `/console/payment-links/${link.id}`);
  expectClean(ofCode.html);
  expectClean(ofLink.html);
  expect(ofCode.html).toMatch(/R\$\s12,34/);
  expect(ofCode.html).not.toContain(charge);
  expect(ofLink.html).toContain(`/console/payments/${charge}`);
  expect(ofLink.html).not.toMatch(/R\$\s12,34/);
});

it("a wrong amount makes nothing and keeps what was typed; a deleted code says so", async () => {
  const company = await givenCompany();
  const wrong = await visit(company, PATH, { form: { description: "Bar", amount: "muito" } });
  expect(wrong.status).toBe(400);
  expect(wrong.html).toContain('value="muito"');
  expect(wrong.html).toContain('value="Bar"');
  const { body } = await call("/api/v1/pix/static-codes", { company, body: {} });
  const deleted = await visit(company, `${PATH}/${body.data.id}/delete`, { form: {} });
  expect(deleted.headers.get("Location")).toBe(`${PATH}/${body.data.id}`);
  const page = await visit(company, `${PATH}/${body.data.id}`);
  expect(page.html).toContain("Excluído");
  expect(page.html).not.toContain("/delete");
});

it("a viewer sees the codes, and makes and deletes none", async () => {
  const company = await givenCompany();
  const { body } = await call("/api/v1/pix/static-codes", { company, body: {} });
  const list = await visit(company, PATH, { role: "viewer" });
  expect(list.html).toContain("Sem descrição");
  expect(list.html).not.toContain('<form class="action"');
  const refused = await visit(company, `${PATH}/${body.data.id}/delete`, {
    role: "viewer",
    form: {},
  });
  expect(refused.status).toBe(403);
});
