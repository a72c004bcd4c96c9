import { describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "../../../../src/domain/shared/company.ts";
import {
  HIDDEN_MARKS,
  MARKED_BOLETO,
  MARKED_CARD,
  MARKED_DOCUMENT,
  MARKED_PIX,
} from "../../../support/builders/charges/marked-payer.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { setScopes } from "../../../support/builders/companies/credentials.ts";
import { freshIsolate } from "../../../support/builders/companies/isolate.ts";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";
import { openApi } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { ROUTE_PERMISSIONS } from "../../../support/probes/http/route-permissions.ts";

const OTHERS = SCOPES.filter((scope) => scope !== "pii:read");
const PAYEE = { pixKey: MARKED_DOCUMENT, pixKeyType: "CPF", amount: 1_000 };

/** A company whose payers, payees and receivers' answers are full of marks. */
async function givenMarkedCompany() {
  const clock = new TestClock();
  const company = await givenCompany({
    clock,
    balance: 50_000,
    webhookUrl: "https://loja.example.com/hook",
  });
  const sink = new WebhookSink(clock);
  sink.respond = ({ rawBody }) => new Response(rawBody);
  const { id } = await givenTransaction(company, MARKED_PIX);
  await pay(company, id);
  await givenTransaction(company, MARKED_BOLETO);
  await givenTransaction(company, MARKED_CARD);
  await requestWithdraw(company, PAYEE);
  await sink.deliverAll(company);
  return { company, id };
}

function marksIn({ text }: Pick<Answer, "text">): string[] {
  return HIDDEN_MARKS.filter((mark) => text.includes(mark));
}

/** The ids that a path of a kind of resource takes. */
function idsOf(path: string, company: TestCompany, transactionId: string): string[] {
  if (path.includes("/events/")) return [1, 2, 3].map((event) => `evt_${company.id}_${event}`);
  if (path.includes("/deliveries/")) return [`dlv_${company.id}_2_endpoint`];
  if (path.includes("/Balance/")) return [String(company.id)];
  return path.toLowerCase().includes("transaction") ? [transactionId] : ["1"];
}

describe("without pii:read", () => {
  it("no route of the OpenAPI document that takes an application shows a mark", async () => {
    const { company, id } = await givenMarkedCompany();
    await setScopes(company, OTHERS);
    const { paths } = await openApi();
    const shown: string[] = [];
    let answered = 0;
    for (const [path, operations] of Object.entries<any>(paths)) {
      for (const method of Object.keys(operations)) {
        const name = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
        const permission = ROUTE_PERMISSIONS[name];
        if (permission === undefined) continue;
        for (const each of idsOf(path, company, id)) {
          const answer = await call(path.replace(/\{\w+\}/, each) + (permission.query ?? ""), {
            method: method.toUpperCase(),
            company,
            ...(permission.body === undefined ? {} : { body: permission.body }),
            headers: { "Idempotency-Key": `k_${name.length}_${each}` },
          });
          if (answer.status < 300) answered += 1;
          shown.push(...marksIn(answer).map((mark) => `${name} shows ${mark}`));
        }
      }
    }
    expect(shown).toEqual([]);
    // Most of them really answered.
    expect(answered).toBeGreaterThan(30);
  });

  it("creating shows no mark either, first and replayed", async () => {
    const company = await givenCompany({ scopes: OTHERS, balance: 0 });
    for (const body of [MARKED_PIX, MARKED_BOLETO, MARKED_CARD]) {
      for (let attempt = 0; attempt < 2; attempt++) {
        const answer = await call("/api/v1/transactions/create", {
          company,
          body,
          headers: { "Idempotency-Key": `tx_${body.paymentMethod}` },
        });
        expect(answer.status).toBe(200);
        expect(marksIn(answer)).toEqual([]);
      }
    }
  });

  it("neither does a withdraw, nor its dry run", async () => {
    const company = await givenCompany({ balance: 50_000 });
    await setScopes(company, OTHERS);
    const answers = [
      await requestWithdraw(company, PAYEE, { deps: freshIsolate() }),
      await call("/api/Withdraw/request", {
        company,
        deps: freshIsolate(),
        body: PAYEE,
        headers: { "Idempotency-Key": "dry", "X-Dry-Run": "true" },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200]);
    expect(answers.flatMap(marksIn)).toEqual([]);
    expect(answers[0]!.body).toMatchObject({ pixKey: "***.533.447-**", pixKeyType: "CPF" });
  });

  it("FORBIDDEN: the search by document, which would tell the masked digits", async () => {
    const company = await givenCompany({ scopes: OTHERS });
    const answer = await call(`/api/v1/transactions?document=${MARKED_DOCUMENT}`, { company });
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  });
});

describe("who sees a payer in full", () => {
  const views: Record<string, { scope: Scope; path: (id: string) => string }> = {
    detail: {
      scope: "transactions:read",
      path: (id) => `/api/Transaction/transactionByTransactionId/${id}`,
    },
    list: { scope: "transactions:read", path: () => "/api/Transaction/company/transactions" },
    search: { scope: "transactions:read", path: () => "/api/v1/transactions" },
    withdraws: { scope: "withdraws:read", path: () => "/api/Withdraw/company/withdraws" },
    events: { scope: "webhooks:read", path: () => "/api/v1/events" },
  };

  it.each(Object.entries(views))("%s: with pii:read only", async (_name, { scope, path }) => {
    const { company, id } = await givenMarkedCompany();
    const seen: string[] = [];
    for (const other of SCOPES) {
      await setScopes(company, [scope, other]);
      const answer = await call(path(id), { company });
      expect(answer.status).toBe(200);
      if (marksIn(answer).length > 0) seen.push(other);
    }
    expect(seen).toEqual(["pii:read"]);
  });

  it("the merchant's own server: webhooks are sent in full whatever its applications see", async () => {
    const clock = new TestClock();
    const company = await givenCompany({
      clock,
      scopes: OTHERS,
      webhookUrl: "https://loja.example.com/hook",
    });
    const sink = new WebhookSink(clock);
    await givenTransaction(company, MARKED_CARD);
    await sink.deliverAll(company);
    expect(sink.received[0]!.body.data.ip).toBe(MARKED_CARD.ip);
  });
});
