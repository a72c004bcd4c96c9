import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import type { PersonRole } from "../../../../../../src/domain/access/person-role.ts";
import type { LiveAudience, LiveMessage } from "../../../../../../src/domain/events/live.ts";
import { PAGES_MAX } from "../../../../../../src/company/live/live-pages.ts";
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
import { recordingNotifier } from "../../../../../support/fakes/recording-notifier.ts";
import { evictObject, replaceInObject } from "../../../../../support/faults/object.ts";
import { fetchFromApp } from "../../../../../support/builders/requests/app.ts";

const ORIGIN = "http://localhost:8787";

/** The messages of an open page, in their order; a message that is awaited before it comes is waited for. */
class OpenPage {
  readonly messages: LiveMessage[] = [];
  #waiting: (() => void)[] = [];

  readonly socket: WebSocket;
  closed: number | null = null;

  constructor(socket: WebSocket) {
    this.socket = socket;
    const wake = () => {
      for (const each of this.#waiting.splice(0)) each();
    };
    socket.addEventListener("message", ({ data }) => {
      this.messages.push(JSON.parse(String(data)) as LiveMessage);
      wake();
    });
    socket.addEventListener("close", ({ code }) => {
      this.closed = code;
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

async function openPage(
  company: TestCompany,
  role: PersonRole,
  path = "/console/live",
): Promise<OpenPage> {
  const request = new Request(`${ORIGIN}${path}`, {
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

it("a page that is back after a break is told where the ledger stands by now", async () => {
  const company = await givenCompany();
  const page = await openPage(company, "owner");
  await page.until(({ messages }) => messages.length > 0);
  page.socket.close();
  await givenPaid(company, 12_345);
  const again = await openPage(company, "owner");
  await again.until(({ messages }) => messages.length > 0);
  const [first] = again.messages;
  expect(first?.balance?.available).toBe(12_345);
  expect(first?.balance?.sequence).toBeGreaterThan(page.messages[0]?.balance?.sequence ?? 0);
});

it("a page whose time is over hears nothing and is closed, while others go on", async () => {
  const company = await givenCompany();
  await givenPaid(company, 1_000);
  const page = await openFor(company, { scopes: ["balance:read"], until: 0 });
  const told = page.messages.length;
  const other = await openPage(company, "owner");
  await givenPaid(company, 2_500);
  await other.until(({ messages }) => messages.some(({ news }) => news.length > 0));
  await page.until(({ closed }) => closed !== null);
  expect([page.closed, page.messages.length]).toEqual([1001, told]);
  expect(other.closed).toBeNull();
});

it("a cashier hears that something changed, and not what", async () => {
  const company = await givenCompany();
  const page = await openPage(company, "cashier", "/console/cashier/live");
  await page.until(({ messages }) => messages.length > 0);
  await givenPaid(company, 2_500);
  await page.until(({ messages }) => messages.length > 1);
  expect(new Set(page.messages.map((each) => JSON.stringify(each)))).toEqual(
    new Set(['{"news":[]}']),
  );
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

it("a payment is said once, though its wake-up failed before", async () => {
  const company = await givenCompany({ webhookUrl: "https://loja.example.com/webhooks" });
  const page = await openPage(company, "owner");
  const restore = await replaceInObject(company, {
    notifier: {
      ...recordingNotifier(),
      notifyDeliveries: () => Promise.reject(new Error("the queue is away")),
    },
  });
  await givenPaid(company, 2_500);
  await restore();
  await runDurableObjectAlarm(companyStub(env, company.id));
  await givenPaid(company, 700);
  const said = () => page.messages.flatMap(({ news }) => news.map(({ amount }) => amount));
  await page.until(() => said().includes(700));
  expect(said()).toEqual([2_500, 700]);
});

it("a company has so many open pages, and one that closes makes room", async () => {
  const company = await givenCompany();
  const audience: LiveAudience = { scopes: [], until: Date.now() + 60_000 };
  const address = new URL("/live", ORIGIN);
  address.searchParams.set("audience", JSON.stringify(audience));
  const ask = () =>
    companyStub(env, company.id).fetch(address, { headers: { Upgrade: "websocket" } });
  const answers = await Promise.all(Array.from({ length: PAGES_MAX }, ask));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([101]));
  const pages = answers.map(({ webSocket }) => new OpenPage(webSocket!));
  expect((await ask()).status).toBe(503);
  pages[0]?.socket.close();
  await evictObject(company.id);
  await pages[0]?.until(({ closed }) => closed !== null);
  const { status, webSocket } = await ask();
  expect(status).toBe(101);
  for (const { socket } of [...pages, new OpenPage(webSocket!)]) socket.close();
});

it("a page that sends something is closed, and others go on", async () => {
  const company = await givenCompany();
  const page = await openPage(company, "owner");
  const other = await openPage(company, "owner");
  for (const text of ["x", "x".repeat(900_000)]) page.socket.send(text);
  await page.until(({ closed }) => closed !== null);
  expect(page.closed).toBe(1008);
  await givenPaid(company, 2_500);
  await other.until(({ messages }) => messages.some(({ news }) => news.length > 0));
});

it("a page that went away is no hindrance", async () => {
  const company = await givenCompany();
  const page = await openPage(company, "owner");
  const other = await openPage(company, "owner");
  page.socket.close();
  await evictObject(company.id);
  await page.until(({ closed }) => closed !== null);
  await givenPaid(company, 2_500);
  await other.until(({ messages }) => messages.some(({ news }) => news.length > 0));
});
