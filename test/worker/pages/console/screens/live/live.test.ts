import { expect, it } from "vitest";
import type { PersonRole } from "../../../../../../src/domain/access/person.ts";
import type { LiveAudience, LiveMessage } from "../../../../../../src/domain/events/live.ts";
import { companyStub } from "../../../../../../src/company-client/stub.ts";
import { givenPaid } from "../../../../../support/builders/charges/transaction.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../../support/builders/companies/company.ts";
import { freshIsolate } from "../../../../../support/builders/companies/isolate.ts";
import { givenSession } from "../../../../../support/builders/console/people.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import { fetchFromApp } from "../../../../../support/builders/requests/app.ts";

const ORIGIN = "http://localhost:8787";

/** The messages of an open page, in their order; a message that is awaited before it comes is waited for. */
class OpenPage {
  readonly messages: LiveMessage[] = [];
  #waiting: (() => void)[] = [];

  constructor(socket: WebSocket) {
    const wake = () => {
      for (const each of this.#waiting.splice(0)) each();
    };
    socket.addEventListener("message", ({ data }) => {
      this.messages.push(JSON.parse(String(data)) as LiveMessage);
      wake();
    });
    socket.accept();
  }

  async until(isSo: (page: OpenPage) => boolean): Promise<void> {
    while (!isSo(this)) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }
}

async function openPage(company: TestCompany, role: PersonRole): Promise<OpenPage> {
  const request = new Request(`${ORIGIN}/console/live`, {
    headers: {
      Upgrade: "websocket",
      Origin: ORIGIN,
      Cookie: await givenSession(company, role, { nowMs: Date.now() }),
    },
  });
  const { status, webSocket } = await fetchFromApp(request, { deps: freshIsolate() });
  expect(status).toBe(101);
  return new OpenPage(webSocket!);
}

/** A page of an audience of the test's own, opened at the object, that has its first message. */
async function openFor({ id }: TestCompany, audience: LiveAudience): Promise<OpenPage> {
  const address = new URL("/live", ORIGIN);
  address.searchParams.set("audience", JSON.stringify(audience));
  const headers = { Upgrade: "websocket" };
  const { webSocket } = await companyStub(env, id).fetch(address, { headers });
  const page = new OpenPage(webSocket!);
  await page.until(({ messages }) => messages.length > 0);
  return page;
}

it("an open page hears of a payment, with the balance at its posting", async () => {
  const company = await givenCompany();
  const page = await openPage(company, "owner");
  await page.until(({ messages }) => messages.length > 0);
  expect(page.messages[0]).toEqual({ news: [], balance: { available: 0, sequence: 0 } });
  await givenPaid(company, 12_345);
  await page.until(({ messages }) => messages.some(({ news }) => news.length > 0));
  const { news, balance } = page.messages.find((each) => each.news.length > 0)!;
  expect(news).toEqual([{ kind: "payment", amount: 12_345 }]);
  expect(balance?.available).toBe(12_345);
  expect(balance?.sequence).toBeGreaterThan(0);
});

it("a page whose time is over hears nothing, while others do", async () => {
  const company = await givenCompany();
  await givenPaid(company, 1_000);
  const page = await openFor(company, { scopes: ["balance:read"], until: 0 });
  const told = page.messages.length;
  const other = await openPage(company, "owner");
  await givenPaid(company, 2_500);
  await other.until(({ messages }) => messages.some(({ news }) => news.length > 0));
  expect(page.messages).toHaveLength(told);
});

it("a page hears only of what its scopes show", async () => {
  const company = await givenCompany();
  const page = await openFor(company, { scopes: ["withdraws:read"], until: Date.now() + 60_000 });
  await givenPaid(company, 2_500);
  await page.until(({ messages }) => messages.length > 1);
  expect(new Set(page.messages.map((each) => JSON.stringify(each)))).toEqual(
    new Set(['{"news":[]}']),
  );
});

it("the stream is no page, and another site opens none", async () => {
  const company = await givenCompany();
  expect((await visit(company, "/console/live")).status).toBe(426);
  const browser = new Browser(await givenSession(company, "owner", { nowMs: Date.now() }));
  const headers = { Upgrade: "websocket", Origin: "https://evil.example" };
  expect((await browser.ask("/console/live", { headers })).status).toBe(403);
});
