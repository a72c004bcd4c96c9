import { describe, expect, it } from "vitest";
import { call, type Answer } from "../../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { FULL_REQUEST } from "../../../../support/builders/requests/full-request.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { anyTime, anyUuid } from "../../../../support/probes/http/matchers.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";

const list = (company: TestCompany, query = ""): Promise<Answer> =>
  call(`/api/Transaction/company/transactions${query}`, { company });

const idsOf = (answer: Answer): number[] => answer.body.res.items.map((item: any) => item.id);

async function givenTransactions(count: number): Promise<TestCompany> {
  const company = await givenCompany();
  for (let made = 0; made < count; made++) await givenTransaction(company);
  return company;
}

it("the item of a full request has every field of the contract", async () => {
  const company = await givenCompany();
  const created = await givenTransaction(company, FULL_REQUEST);
  const answer = await list(company);
  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual({
    ok: true,
    res: {
      items: [
        {
          id: 1,
          leadId: anyUuid,
          lead: {
            id: answer.body.res.items[0].leadId,
            externalId: "crm-9",
            name: "Maria da Conceição",
            email: "maria@example.com",
            phone: "+5511987654321",
            documentNumber: "52998224725",
            documentType: "CPF",
            ...FULL_REQUEST.shipping.address,
          },
          amount: 12_345,
          paidAmount: null,
          underpaid: false,
          status: "PENDING",
          paymentMethod: "PIX",
          providerTxId: created.id,
          externalRef: "order-77",
          endToEndId: null,
          createdAt: created.createdAt,
          updatedAt: created.updatedAt,
        },
      ],
      totalItems: 1,
      totalPages: 1,
      currentPage: 1,
      pageSize: 50,
    },
  });
});

it("the item of a minimal request has null if the contract allows it, else an empty string", async () => {
  const company = await givenCompany();
  const created = await givenTransaction(company);
  const { items } = (await list(company)).body.res;
  expect(items).toStrictEqual([
    {
      id: 1,
      leadId: anyUuid,
      lead: {
        id: items[0].leadId,
        externalId: null,
        name: "",
        email: "",
        phone: "",
        documentNumber: "",
        documentType: "",
        street: null,
        streetNumber: null,
        complement: null,
        zipCode: null,
        neighborhood: null,
        city: null,
        state: null,
        country: null,
      },
      amount: 2_500,
      paidAmount: null,
      underpaid: false,
      status: "PENDING",
      paymentMethod: "PIX",
      providerTxId: created.id,
      externalRef: "",
      endToEndId: null,
      createdAt: anyTime,
      updatedAt: anyTime,
    },
  ]);
});

it("lead.externalId is the customer's externalRef, else its id", async () => {
  const company = await givenCompany();
  await givenTransaction(company, { customer: { id: "c", externalRef: "e" } });
  await givenTransaction(company, { customer: { id: "c" } });
  await givenTransaction(company, { customer: { id: "c", externalRef: "" } });
  const { items } = (await list(company, "?sort=createdAt_asc")).body.res;
  expect(items.map((item: any) => item.lead.externalId)).toEqual(["e", "c", "c"]);
});

it("a company without transactions has an empty first page", async () => {
  const company = await givenCompany();
  expect((await list(company)).body).toStrictEqual({
    ok: true,
    res: { items: [], totalItems: 0, totalPages: 0, currentPage: 1, pageSize: 50 },
  });
});

it("the list has the newest 50 without parameters", async () => {
  const company = await givenTransactions(51);
  const answer = await list(company);
  expect(idsOf(answer)).toEqual(Array.from({ length: 50 }, (_, index) => 51 - index));
  expect(answer.body.res).toMatchObject({
    totalItems: 51,
    totalPages: 2,
    currentPage: 1,
    pageSize: 50,
  });
});

describe("pages", () => {
  it("contain every transaction once, newest or oldest first", async () => {
    const company = await givenTransactions(7);
    const walk = async (sort: string) =>
      Promise.all([1, 2, 3].map((page) => list(company, `?pageSize=3&page=${page}&sort=${sort}`)));
    const descending = await walk("createdAt_desc");
    expect(descending.map(idsOf)).toEqual([[7, 6, 5], [4, 3, 2], [1]]);
    const ascending = await walk("createdAt_asc");
    expect(ascending.map(idsOf)).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
    expect(ascending[2]?.body.res).toMatchObject({
      totalItems: 7,
      totalPages: 3,
      currentPage: 3,
      pageSize: 3,
    });
  });

  it("beyond the last one are empty and keep the totals", async () => {
    const company = await givenTransactions(3);
    for (const page of [3, 999_999_999_999_999]) {
      for (const sort of ["createdAt_desc", "createdAt_asc"]) {
        const answer = await list(company, `?pageSize=2&page=${page}&sort=${sort}`);
        expect(answer.status).toBe(200);
        expect(answer.body.res).toStrictEqual({
          items: [],
          totalItems: 3,
          totalPages: 2,
          currentPage: page,
          pageSize: 2,
        });
      }
    }
  });

  it.each(["101", "1000", "999999999999999"])(
    "of size %s are reduced to 100 and say so",
    async (pageSize) => {
      const company = await givenTransactions(2);
      const answer = await list(company, `?pageSize=${pageSize}`);
      expect(answer.status).toBe(200);
      expect(answer.body.res).toMatchObject({ totalItems: 2, totalPages: 1, pageSize: 100 });
      expect(idsOf(answer)).toEqual([2, 1]);
    },
  );

  it("of 100 are allowed", async () => {
    const company = await givenCompany();
    expect((await list(company, "?pageSize=100")).body.res.pageSize).toBe(100);
  });
});

it.each([
  ["page", "0"],
  ["page", "-1"],
  ["page", "abc"],
  ["page", "1.5"],
  ["page", ""],
  ["page", "1e2"],
  ["page", "0x1"],
  ["page", " 1"],
  ["page", "99999999999999999999"],
  ["pageSize", "0"],
  ["pageSize", "-1"],
  ["pageSize", "abc"],
  ["pageSize", "1.5"],
  ["pageSize", ""],
  ["sort", "amount_desc"],
  ["sort", "CREATEDAT_DESC"],
  ["sort", ""],
])("VALIDATION_FAILED: %s=%s", async (name, value) => {
  const company = await sharedCompany();
  const answer = await list(company, `?${name}=${encodeURIComponent(value)}`);
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [name] });
});

it("VALIDATION_FAILED: reports all invalid parameters at once, and a repeated one", async () => {
  const company = await sharedCompany();
  await expectProblem(await list(company, "?page=0&pageSize=x&sort=y"), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["page", "pageSize", "sort"],
  });
  await expectProblem(await list(company, "?page=1&page=2"), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["page"],
  });
});

it("the list ignores unknown parameters", async () => {
  const company = await givenTransactions(2);
  const answer = await list(company, "?status=PAID&companyId=1&limit=1&Page=9");
  expect(answer.status).toBe(200);
  expect(idsOf(answer)).toEqual([2, 1]);
});

it("each company sees its own transactions, numbered from 1", async () => {
  const [ours, theirs] = [await givenTransactions(2), await givenTransactions(1)];
  expect(idsOf(await list(ours))).toEqual([2, 1]);
  expect(idsOf(await list(theirs))).toEqual([1]);
});
