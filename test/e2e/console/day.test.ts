import { rmSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Merchant } from "../../../tools/lib/merchant.ts";
import { startReceiver, type Receiver } from "../../../tools/lib/receiver.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { openPage } from "../../support/browser/browser.ts";
import { signIn } from "../../support/browser/sign-in.ts";
import { SignedIn } from "../../support/browser/signed-in.ts";
import { givenStateDir } from "../state-dir.ts";

const WEBHOOK_MS = 20_000;
const stateDir = await givenStateDir("console-day");
let service: Service;
let receiver: Receiver;
const people = new SignedIn();

beforeAll(async () => {
  [service, receiver] = await Promise.all([startService({ stateDir }), startReceiver()]);
});

afterAll(async () => {
  await Promise.all([service.stop(), receiver.close()]);
  rmSync(stateDir, { recursive: true, force: true });
});

const openAsOwner = () => people.open(service.base, { role: "owner", path: "/console" });

const mainText = async (page: Page) => (await page.textContent("main")) ?? "";
const statusWith = async (clientId: string, apiKey: string) =>
  (
    await fetch(`${service.base}/api/v1/transactions`, {
      headers: { "X-Client-Id": clientId, "X-API-Key": apiKey },
    })
  ).status;
const keyOn = async (page: Page) => (await page.textContent("main .notice pre")) ?? "";
const auditOf = async (owner: Page, action: string) => {
  await owner.goto(`/console/audit?action=${action}`);
  return mainText(owner);
};

test("a key is made, used and rotated; the old one ends at once, and the audit tells", async () => {
  const owner = await openAsOwner();
  await owner.goto("/console/keys/new");
  await owner.fill("input[name=name]", "Loja virtual");
  await owner.check("input[value='transactions:read']");
  await owner.click("main form button.primary");
  await owner.waitForURL(/\/console\/keys\/app_/);
  const clientId = /app_[\w-]+/.exec(owner.url())?.[0] ?? "";
  await owner.click("main form.action button.primary");
  const first = await keyOn(owner);
  expect(await statusWith(clientId, first)).toBe(200);
  await owner.goto(`/console/keys/${clientId}`);
  await owner.fill("input[name=overlapHours]", "0");
  await owner.click("main form.action button.primary");
  const second = await keyOn(owner);
  expect(second).not.toBe(first);
  expect([await statusWith(clientId, first), await statusWith(clientId, second)]).toEqual([
    401, 200,
  ]);
  expect(await auditOf(owner, "application.create")).toContain(clientId);
});

test("a person is invited, is refused, and may more after a change of the role", async () => {
  const owner = await openAsOwner();
  await owner.goto("/console/team");
  await owner.fill("input[name=email]", "nova@example.com");
  await owner.selectOption("form[action$='/invitations'] select[name=role]", "viewer");
  await owner.click("form[action$='/invitations'] button[type=submit]");
  const link = (await owner.textContent("main .notice code")) ?? "";
  const guest = await openPage(service.base, { expectedStatuses: [403] });
  await guest.goto(new URL(link).pathname);
  await guest.fill("input[name=name]", "Nova Pessoa");
  await guest.fill("input[name=password]", "uma senha bem comprida");
  await guest.click("main form button.primary");
  await guest.waitForURL(/\/console$/);
  expect((await guest.goto("/console/keys"))?.status()).toBe(403);
  await owner.goto("/console/team");
  const row = owner.locator("tr", { hasText: "nova@example.com" });
  await row.locator("select[name=role]").selectOption("developer");
  await row.locator("form[action$='/role'] button[type=submit]").click();
  await owner.waitForURL(/done=/);
  expect((await guest.goto("/console/keys"))?.status()).toBe(200);
  expect(await auditOf(owner, "invitation.create")).toContain("n***@example.com");
});

test("a withdraw that needs a second person waits for one, who approves it", async () => {
  const owner = await openAsOwner();
  const merchant = new Merchant(service.base);
  const charge = await merchant.create({ amount: 50_000, paymentMethod: "PIX" }, "tx_day");
  await merchant.pay(charge.body.data.id);
  await owner.goto("/console/settings");
  await owner.fill("input[name=withdrawApprovalAbove]", "50,00");
  await owner.click("form[action$='/settings/withdraws'] button.primary");
  await owner.click("form[action$='/settings/withdraws/save'] button[type=submit]");
  await owner.waitForURL(/done=/);
  await owner.goto("/console/withdraws/new");
  await owner.fill("input[name=amount]", "100,00");
  await owner.fill("input[name=pixKey]", "quem@example.com");
  await owner.click("main form button.primary");
  await owner.click("form[data-once] button.primary");
  await owner.waitForURL(/\/console\/withdraws\/1/);
  expect(await owner.locator("form[action$='/approve']").count()).toBe(0);
  const finance = await openPage(service.base);
  await signIn(finance, "finance", "/console/withdraws/1");
  await finance.click("form[action$='/approve'] button[type=submit]");
  await finance.waitForURL(/done=/);
  expect(await auditOf(owner, "withdraw.approve")).toContain("Local finance");
});

test("a webhook is sent again under the same id", async () => {
  const owner = await openAsOwner();
  const merchant = new Merchant(service.base);
  const body = { amount: 1_000, paymentMethod: "PIX", postbackUrl: receiver.url };
  const charge = await merchant.create(body, "tx_webhook");
  await merchant.pay(charge.body.data.id);
  const sent = await receiver.waitFor(() => true, WEBHOOK_MS);
  const count = receiver.received.length;
  await owner.goto("/console/webhooks/deliveries");
  await owner.locator("main table a").first().click();
  await owner.click("form[action$='/resend'] button[type=submit]");
  await receiver.waitFor(
    (one) =>
      one.headers["webhook-id"] === sent.headers["webhook-id"] && receiver.received.length > count,
    WEBHOOK_MS,
  );
});
