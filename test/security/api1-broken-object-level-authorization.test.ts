import { beforeAll, describe, expect, it } from "vitest";
import { CARD_REQUEST } from "../support/builders/requests/full-request.ts";
import { call, type Answer } from "../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../support/builders/companies/company.ts";
import {
  givenMarkedCompany,
  MARKER,
  type MarkedCompany,
} from "../support/builders/companies/marked-company.ts";
import { createTransaction } from "../support/builders/charges/transaction.ts";
import { changedTables, stateOf } from "../support/probes/database/company-state.ts";
import { expectProblem } from "../support/probes/http/problem.ts";
import { ROUTE_PERMISSIONS } from "../support/probes/http/route-permissions.ts";

/** Routes for which another company's id is one that the caller itself may have; each has its own test below. */
const ANSWERED_BY_OWN = new Set([
  "DELETE /api/v1/company/pix-keys/:id",
  "GET /api/v1/requests/:traceId",
]);
/** Routes whose path holds an id of an object or of a company. */
const WITH_ID = Object.entries(ROUTE_PERMISSIONS).filter(
  ([name]) => name.includes("/:") && !ANSWERED_BY_OWN.has(name),
);

let theirs: MarkedCompany;
let ours: TestCompany;
beforeAll(async () => {
  theirs = await givenMarkedCompany();
  ours = await givenCompany();
});

/** Asserts that `run` changes nothing of the other company, and that its answer shows nothing of it. */
async function expectApart(run: () => Promise<Answer>): Promise<Answer> {
  const before = await stateOf(theirs.company);
  const answer = await run();
  expect(changedTables(before, await stateOf(theirs.company))).toEqual([]);
  expect(answer.text).not.toContain(MARKER);
  return answer;
}

it.each(WITH_ID)("%s refuses another company's id", async (name, { body, query }) => {
  const [method = "", path = ""] = name.split(" ");
  const parts = path.split("/");
  const at = parts.findIndex((part) => part.startsWith(":"));
  const id = theirs.ids[parts[at - 1] ?? ""];
  expect(id, `the id that ${name} takes`).toBeDefined();
  parts[at] = id ?? "";

  const answer = await expectApart(() =>
    call(
      `${parts.join("/").replace(":keyId", "1").replace(":transactionId", theirs.transactionId)}${query ?? ""}`,
      {
        method,
        company: ours,
        ...(body === undefined ? {} : { body }),
        headers: { "Idempotency-Key": "k_foreign" },
      },
    ),
  );

  const forbidden = answer.status === 403;
  await expectProblem(
    answer,
    forbidden ? { status: 403, code: "FORBIDDEN" } : { status: 404, code: "NOT_FOUND" },
  );
});

it("an allowed PIX key's number is the caller's own, so that another company's key stays", async () => {
  const path = "/api/v1/company/pix-keys";
  const pixKey = `other-${MARKER}@example.com`;
  const added = await call(path, { company: theirs.company, body: { pixKey } });
  expect(added.status).toBe(201);
  await expectApart(() =>
    call(`${path}/${added.body.data.id}`, { company: ours, method: "DELETE" }),
  );
});

it("another company's trace id finds nothing", async () => {
  const { headers } = await createTransaction(theirs.company, { amount: 100, externalRef: MARKER });
  const path = `/api/v1/requests/${headers.get("X-Trace-Id")}`;
  const own = await call(path, { company: theirs.company });
  expect(own.body.data.items).toHaveLength(1);
  const answer = await expectApart(() => call(path, { company: ours }));
  expect(answer.body.data.items).toEqual([]);
});

describe("an id outside the path", () => {
  it("of a transaction in the search finds nothing", async () => {
    const answer = await expectApart(() =>
      call(`/api/v1/transactions?ids=${theirs.transactionId}`, { company: ours }),
    );
    expect(answer.body).toMatchObject({ items: [] });
  });

  it("of a payer in the search finds nothing", async () => {
    for (const query of [`externalRef=${MARKER}`, "document=52998224725"]) {
      const answer = await expectApart(() =>
        call(`/api/v1/transactions?${query}`, { company: ours }),
      );
      expect(answer.body).toMatchObject({ items: [] });
    }
  });

  it("of a card token charges no card", async () => {
    const answer = await expectApart(() =>
      createTransaction(ours, { ...CARD_REQUEST, card: { token: theirs.cardToken } }),
    );
    await expectProblem(answer, { status: 422, code: "CHARGE_REFUSED" });
  });

  it("of an event in the webhook debugger is unknown", async () => {
    const answer = await expectApart(() =>
      call("/api/v1/webhooks/verify", {
        company: ours,
        body: { headers: { "webhook-id": theirs.ids["events"] }, body: "{}" },
      }),
    );
    expect(answer.status).toBe(200);
  });

  it("of a page's end continues the caller's own list", async () => {
    const list = await call("/api/v1/webhooks/deliveries?limit=1", { company: theirs.company });
    const lists = ["transactions", "events", "webhooks/deliveries"];
    for (const name of lists) {
      const after = name === "webhooks/deliveries" ? list.body.after : theirs.transactionId;
      const answer = await expectApart(() =>
        call(`/api/v1/${name}?after=${after}`, { company: ours }),
      );
      expect(answer.body.items ?? []).toEqual([]);
    }
  });
});

it("another company's idempotency key replays nothing of it", async () => {
  const answer = await expectApart(() =>
    createTransaction(ours, { amount: 2_500 }, { key: theirs.idempotencyKey }),
  );
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Idempotent-Replayed")).toBeNull();
  expect(answer.body.data.companyId).toBe(ours.id);
});

it("a header or a query cannot choose another company", async () => {
  const other = String(theirs.company.id);
  const answer = await expectApart(() =>
    call(`/api/Transaction/company/transactions?companyId=${other}`, {
      company: ours,
      headers: { "X-Company-Id": other, "X-Forwarded-User": theirs.company.clientId },
    }),
  );
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain(theirs.transactionId);
});

it("the payer's public status has no name, address or document", async () => {
  const answer = await call(`/api/checkout/status/${theirs.transactionId}`);
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain(MARKER);
  expect(answer.text).not.toContain("52998224725");
});
