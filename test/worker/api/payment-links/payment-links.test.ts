import { beforeAll, describe, expect, it } from "vitest";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { givenLink, LINKS } from "../../../support/builders/charges/payment-links.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { anyTime } from "../../../support/probes/http/matchers.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

let company: TestCompany;
beforeAll(async () => {
  company = await givenCompany();
});

const create = (body: object, key?: string): Promise<Answer> =>
  call(LINKS, {
    company,
    body,
    ...(key === undefined ? {} : { headers: { "Idempotency-Key": key } }),
  });
const change = (id: string, body: object): Promise<Answer> =>
  call(`${LINKS}/${id}`, { company, method: "PATCH", body });

describe("a payment link", () => {
  it("is made once per key, shown and listed, with an address that only its slug gives", async () => {
    const body = {
      name: "Curso",
      minimum: 1_000,
      maxQuantity: 3,
      maxPayments: 2,
      paymentMethods: ["BOLETO", "PIX"],
      fields: [{ name: "email", required: false }],
      metadata: { turma: 7 },
      expiresAt: "2099-01-01T00:00:00-03:00",
    };

    const answer = await create(body, "link_1");

    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      slug: expect.stringMatching(/^[0-9a-z]{18}$/),
      url: `https://localhost/l/${data.slug}`,
      name: "Curso",
      status: "active",
      amount: null,
      minimum: 1_000,
      maximum: 333_333_333_333,
      amounts: null,
      maxQuantity: 3,
      maxPayments: 2,
      paidCount: 0,
      openCount: 0,
      expiresAt: "2099-01-01T03:00:00.000Z",
      paymentMethods: ["PIX", "BOLETO"],
      maxInstallments: 1,
      saveCard: false,
      fields: [{ name: "email", required: false }],
      metadata: '{"turma":7}',
      returnUrl: null,
      createdAt: anyTime,
      updatedAt: anyTime,
    });
    await expectDocumented(`POST ${LINKS}`, answer);
    const other = await givenLink(company);
    const replayed = await create(body, "link_1");
    expect(replayed.body).toEqual(answer.body);
    expect(replayed.headers.get("Idempotent-Replayed")).toBe("true");
    await expectProblem(await create({ ...body, name: "Outro" }, "link_1"), {
      status: 409,
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    const shown = await call(`${LINKS}/${data.id.toUpperCase()}`, { company });
    expect(shown.body).toEqual({ data });
    const first = await call(`${LINKS}?limit=1`, { company });
    expect(first.body).toMatchObject({ items: [{ id: other.id }], hasMore: true });
    const second = await call(`${LINKS}?limit=1&after=${first.body.after}`, { company });
    expect(second.body.items).toEqual([data]);
  });

  it("is changed in its name, state, end, limit and metadata only", async () => {
    const { id } = await givenLink(company, { metadata: "a" });

    const answer = await change(id, {
      name: "Novo",
      active: false,
      maxPayments: 5,
      metadata: null,
      expiresAt: "2099-01-01T00:00:00Z",
    });

    await expectDocumented(`PATCH ${LINKS}/{id}`, answer);
    expect(answer.body.data).toMatchObject({
      name: "Novo",
      status: "inactive",
      maxPayments: 5,
      metadata: null,
      expiresAt: "2099-01-01T00:00:00.000Z",
      amount: 5_000,
    });
    expect((await change(id, { active: true, expiresAt: null })).body.data).toMatchObject({
      name: "Novo",
      status: "active",
      expiresAt: null,
    });
    await expectProblem(await change(id, { amount: 1 }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["amount"],
    });
    await expectProblem(await change(id, { expiresAt: "2020-01-01T00:00:00Z" }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["expiresAt"],
    });
  });

  it.each([
    ["no amount", {}, "amount"],
    ["two kinds of amount", { amount: 1, amounts: [2] }, "amount"],
    ["a range that is none", { minimum: 2, maximum: 1 }, "maximum"],
    ["an amount twice", { amounts: [1, 1] }, "amounts"],
    ["a payment above the most", { amount: 999_999_999_999, maxQuantity: 2 }, "maxQuantity"],
    ["no payment at all", { amount: 1, maxPayments: 0 }, "maxPayments"],
    ["an unknown method", { amount: 1, paymentMethods: ["CASH"] }, "paymentMethods.0"],
    ["an unknown field", { amount: 1, fields: [{ name: "phone" }] }, "fields.0.name"],
    ["methods that are no list", { amount: 1, paymentMethods: { PIX: true } }, "paymentMethods"],
    ["amounts that are no list", { amounts: { first: 1 } }, "amounts"],
    ["a number for amounts", { amounts: 1 }, "amounts"],
    ["fields that are no list", { amount: 1, fields: { name: true } }, "fields"],
    ["a field twice", { amount: 1, fields: [{ name: "name" }, { name: "name" }] }, "fields"],
    ["an end in the past", { amount: 1, expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
    ["a way back that is not public", { amount: 1, returnUrl: "https://localhost/" }, "returnUrl"],
  ])("refuses %s", async (_what, body, field) => {
    await expectProblem(await create({ name: "Curso", ...body }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: [field],
    });
  });

  it("of another company is not found", async () => {
    const { id } = await givenLink(company);
    const other = await givenCompany();
    for (const path of [`${LINKS}/${id}`, `${LINKS}/${id}/qr`]) {
      await expectProblem(await call(path, { company: other }), { status: 404, code: "NOT_FOUND" });
    }
    const answer = await call(`${LINKS}/${id}`, { company: other, method: "PATCH", body: {} });
    await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
  });

  it("has a QR code as SVG and PNG, by format and by Accept", async () => {
    const { id } = await givenLink(company);
    const svg = await call(`${LINKS}/${id}/qr`, { company });
    expect(svg.headers.get("Content-Type")).toBe("image/svg+xml");
    expect(svg.text).toMatch(/^<svg .*<\/svg>$/);
    for (const [query, accept] of [
      ["?format=png", "*/*"],
      ["", "image/png"],
    ]) {
      const png = await call(`${LINKS}/${id}/qr${query}`, {
        company,
        headers: { Accept: accept! },
      });
      expect(png.headers.get("Content-Type")).toBe("image/png");
      expect(png.text.slice(1, 4)).toBe("PNG");
    }
  });
});
