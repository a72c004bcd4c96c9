import { rmSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Merchant } from "../../../tools/lib/merchant.ts";
import { startReceiver, type Receiver } from "../../../tools/lib/receiver.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { openPage } from "../../support/browser/browser.ts";
import {
  COLOUR_RULES,
  expectAccessible,
  expectNoSidewaysScroll,
  pageWeight,
} from "../../support/browser/judge.ts";
import { SignedIn } from "../../support/browser/signed-in.ts";
import { givenStateDir } from "../state-dir.ts";

/** The whole page with all that it loads, compressed. */
const MAX_PAGE_BYTES = 80_000;
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 360, height: 740 };
/** Parts of a path that name one thing among others of its kind. */
const NAME_OF_ONE = /\d|_/;
/** Parts of a query that lead to another form. */
const PARTS_OF_A_SCREEN = ["section", "sheet"];
/** Links to what is no page. */
const FILE = /\.(?:csv|json|ofx|pdf|png|svg|xlsx|zip)(?:\?|$)|\/proof/;
/** Nothing links to these, or only a message. */
const DOORS = ["/console/sign-in", "/console/password-reset"];

const stateDir = await givenStateDir("console-screens");
const people = new SignedIn();
let service: Service;
let receiver: Receiver;
/** The page that ends a payer's reminders. */
let stopPage: string;
/** Of a subscription: its payer's pages. */
let subscriptionPages: string[];
/** Of charges in several states: each has a page of its own kind. */
let chargePages: string[];

beforeAll(async () => {
  [service, receiver] = await Promise.all([startService({ stateDir }), startReceiver()]);
  await givenDay(new Merchant(service.base));
});

afterAll(async () => {
  await Promise.all([service.stop(), receiver.close()]);
  rmSync(stateDir, { recursive: true, force: true });
});

/** Something on every screen. */
async function givenDay(merchant: Merchant): Promise<void> {
  const settings = { withdrawApprovalAbove: 5_000 };
  const post = (path: string, body?: object) => merchant.call("POST", `/api/v1/${path}`, body);
  await merchant.call("PUT", "/api/v1/webhooks/endpoint", { url: receiver.url });
  await merchant.call("PUT", "/api/v1/company/settings", settings);
  const customer = { name: "Maria da Silva", document: { number: "52998224725", type: "CPF" } };
  const charge = async (body: object, key: string) => {
    const created = await merchant.create({ amount: 12_345, customer, ...body }, key);
    expect(created.status).toBe(200);
    return created.body.data as { id: string; secureId: string };
  };
  const disputed = await charge({ paymentMethod: "PIX" }, "screen_disputed");
  const slip = await charge({ paymentMethod: "BOLETO" }, "screen_slip");
  const paid = await charge({ paymentMethod: "PIX" }, "screen_paid");
  // Twice: the second payment is unexpected.
  for (const { id } of [paid, paid, slip, disputed]) await merchant.pay(id);
  await post(`sandbox/transactions/${disputed.id}/dispute`);
  await merchant.withdraw({ amount: 9_000, pixKey: "quem@example.com" }, "screen_waits");
  await post("pix/static-codes", { amount: 1_500, description: "Café" });
  await post("payment-links", { name: "Curso", amount: 5_000 });
  const open = await charge({ paymentMethod: "PIX" }, "screen_open");
  const subscribed = await post("subscriptions", {
    customer,
    description: "Clube do livro",
    minimumAmount: 4_990,
    period: "MONTHLY",
    firstDueDate: "2031-01-10",
    journey: "QR",
    retry: [1, 3],
  });
  expect(subscribed.status).toBe(201);
  const { secureId } = subscribed.body.data as { secureId: string };
  subscriptionPages = ["/a/", "/s/"].map((path) => path + secureId);
  subscriptionPages.push(`/s/${secureId}/cancel`);
  stopPage = `/reminders/stop/${open.secureId}`;
  chargePages = [paid, slip, disputed, open].map(({ id }) => `/console/payments/${id}`);
}

test.each([
  ["pt-BR", "owner", "/console"],
  ["en", "admin", "/console"],
  ["pt-BR", "operator", "/console/operator"],
  ["en", "operator", "/console/operator"],
] as const)(
  "every screen is accessible, light and narrow enough (%s, %s)",
  async (locale, role, home) => {
    const judge = locale === "pt-BR" ? judgeWhole : judgeWords;
    const stranger = await openPage(service.base, { locale });
    for (const path of [...DOORS, stopPage, ...subscriptionPages]) await judge(stranger, path);
    expect(await stranger.getAttribute("html", "lang")).toBe(locale);
    const page = await people.open(service.base, { role, path: home }, { locale });
    const starts = [home, "/console/confirm", ...(role === "operator" ? [] : chargePages)];
    const screens = new Map(starts.map((path) => [path, path]));
    // A map goes on to what is added while it is walked.
    for (const path of screens.values()) {
      await judge(page, path);
      for (const found of await linksOf(page)) {
        if (!screens.has(screenOf(found))) screens.set(screenOf(found), found);
      }
    }
    if (role === "owner") expect([...screens.keys()]).toEqual(expect.arrayContaining(DEEPEST));
  },
);

/** Screens that are some links away. */
const DEEPEST = [
  "/console/calendar/:one",
  "/console/disputes/:one",
  "/console/events/:one",
  "/console/keys/:one",
  "/console/payers/:one",
  "/console/payments/:one/refund",
  "/console/payments/:one/print",
  "/console/settings?section=brand",
  "/console/static-codes/:one/print?sheet=a6",
  "/console/subscriptions/:one",
  "/console/subscriptions/banks",
  "/console/subscriptions/recovered",
  "/console/subscriptions/upcoming",
  "/console/subscriptions/new",
  "/console/unexpected-payments/:one/credit",
  "/console/withdraws/:one",
];

test("pages that a link opens once are accessible in both languages", async () => {
  const owner = await people.open(service.base, { role: "owner", path: "/console/team" });
  await owner.fill("input[name=email]", "nova@example.com");
  await owner.click("form[action$='/invitations'] button[type=submit]");
  const path = "/console/operator/people/approver";
  const operator = await people.open(service.base, { role: "operator", path });
  await operator.click("form[action$='/link'] button");
  const guest = await openPage(service.base);
  for (const page of [owner, operator]) {
    const link = await page.locator("main code", { hasText: "http" }).first().textContent();
    await judgeInBoth(guest, new URL(link ?? "").pathname);
  }
});

test("a shared counter is accessible in both languages", async () => {
  const finance = { role: "finance", path: "/console/account" } as const;
  const own = await people.open(service.base, finance);
  await own.fill("form[action$='/account/pin'] input[name=pin]", "2580");
  await own.click("form[action$='/account/pin'] button");
  await own.waitForURL("**done=pin");
  const counter = await people.open(service.base, { role: "owner", path: "/console/team" });
  await counter.click("details:has(form[action$='/team/devices']) summary");
  await counter.fill("input[name=device]", "Balcão 1");
  await counter.click("form[action$='/team/devices'] button");
  await counter.waitForURL("**/cashier/device");
  await judgeInBoth(counter, "/console/cashier/device");
  await counter.getByLabel("Local finance").check();
  await counter.fill("input[name=pin]", "2580");
  await counter.click("form.pin-pad button");
  await counter.waitForURL(/\/console\/cashier$/);
  await counter.click("form[action$='/cashier/open'] button");
  await judgeInBoth(counter, "/console/cashier");
  await counter.fill("input[name=amount]", "7,90");
  await counter.click("form[action$='/charges'] button");
  await counter.waitForURL("**/cashier/charges/*");
  await judgeInBoth(counter, new URL(counter.url()).pathname);
  await judgeInBoth(counter, "/console/cashier/shift");
  await judgeInBoth(counter, "/console/cashier/question");
});

/** Judges a page of the open browser in each language, and leaves it in Portuguese. */
async function judgeInBoth(page: Page, path: string): Promise<void> {
  const judges = { en: judgeWords, "pt-BR": judgeWhole };
  for (const [value, judge] of Object.entries(judges)) {
    const url = `${service.base}/console`;
    await page.context().addCookies([{ name: "centavo_language", value, url }]);
    await judge(page, path);
    expect(await page.getAttribute("html", "lang")).toBe(value);
  }
}

/** The pages of this console that the page links to. */
async function linksOf(page: Page): Promise<string[]> {
  const links = await page
    .locator("a[href]:not([download])")
    .evaluateAll((found) => found.map((link) => link.getAttribute("href")!));
  return links
    .map((link) => new URL(link, page.url()))
    .filter(({ origin, pathname }) => origin === service.base && pathname.startsWith("/console"))
    .map(({ pathname, search }) => pathname + search)
    .filter((path) => !FILE.test(path));
}

/** The path without what only chooses among things of one kind. */
function screenOf(path: string): string {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const parts = pathname.split("/").map((part) => (NAME_OF_ONE.test(part) ? ":one" : part));
  const chosen = PARTS_OF_A_SCREEN.flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [`${name}=${value}`];
  });
  return [parts.join("/"), ...chosen].join("?");
}

/** Judges a page in both themes, wide and narrow; what a phone shows of it by day is judged with its other words. */
async function judgeWhole(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(WIDE);
  await goTo(page, path);
  await expectAccessible(page);
  expect.soft(await pageWeight(page), path).toBeLessThan(MAX_PAGE_BYTES);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page, COLOUR_RULES);
  await page.setViewportSize(NARROW);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page, COLOUR_RULES);
}

/** Judges what another language changes: the words, and the room that they have on a phone. */
async function judgeWords(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(NARROW);
  await goTo(page, path);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
}

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path);
  expect.soft(page.url(), "asks for the code again").not.toContain("/console/confirm?");
}
