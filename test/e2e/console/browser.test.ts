import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { LOCAL_PASSWORD, localCode } from "../../../tools/lib/local-people.ts";
import { openPage } from "../../support/browser/browser.ts";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  pageWeight,
} from "../../support/browser/judge.ts";
import { signIn } from "../../support/browser/sign-in.ts";
import { givenStateDir } from "../state-dir.ts";

/** The whole first page, compressed. */
const MAX_PAGE_BYTES = 80_000;
const NARROW = { width: 360, height: 740 };
/** Looked at on every visit: without and with a session. */
const PLAIN_SCREENS = ["/console/sign-in"];
const SCREENS = ["/console/account"];

const stateDir = await givenStateDir("console");
let service: Service;

beforeAll(async () => {
  service = await startService({ stateDir });
});

afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

test("the reference page runs without an error", async () => {
  const page = await openPage(service.base);
  await page.goto("/docs");
  await page.waitForSelector(".opblock");
});

test("a path without a page answers 404 in the console's look", async () => {
  const page = await openPage(service.base, { expectedStatuses: [404] });
  expect((await page.goto("/console/assets/nothing"))?.status()).toBe(404);
  expect(await page.textContent("h1")).not.toBe("");
});

test("a person signs in by keyboard only, with password and code", async () => {
  const page = await openPage(service.base);
  await page.goto("/console/sign-in?next=/console/account");
  await page.keyboard.press("Tab");
  await page.keyboard.type("finance@loja.local");
  await page.keyboard.press("Tab");
  await page.keyboard.type(LOCAL_PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/sign-in/code**");
  await page.keyboard.press("Tab");
  await page.keyboard.type(await localCode());
  await page.keyboard.press("Enter");
  await page.waitForURL("**/console/account");
});

test("a person signs in without script", async () => {
  const page = await openPage(service.base, { javaScriptEnabled: false });
  await signIn(page, "viewer");
  expect(new URL(page.url()).pathname).toBe("/console/account");
});

test("a passkey is added and signs in", async () => {
  const page = await openPage(service.base);
  const debug = await page.context().newCDPSession(page);
  await debug.send("WebAuthn.enable");
  await debug.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await signIn(page, "support");
  await page.waitForURL("**/console/account");
  const registered = page.waitForResponse("**/passkeys/register");
  await page.click("[data-passkey=register]");
  expect((await registered).status()).toBe(200);
  await page.context().clearCookies();
  await page.goto("/console/sign-in?next=/console/account");
  await page.click("[data-passkey=sign-in]");
  await page.waitForURL("**/console/account");
});

test("a wrong password is refused and the e-mail stays", async () => {
  const page = await openPage(service.base, { expectedStatuses: [401] });
  await page.goto("/console/sign-in");
  await page.fill("input[name=email]", "nobody@loja.local");
  await page.fill("input[name=password]", "a wrong password");
  await page.click("main form button.primary");
  expect(await page.textContent("[role=alert]")).not.toBe("");
  expect(await page.inputValue("input[name=email]")).toBe("nobody@loja.local");
});

test.each([
  ["light", "pt-BR"],
  ["dark", "en"],
] as const)(
  "every screen is accessible, light and narrow enough (%s, %s)",
  async (scheme, language) => {
    const page = await openPage(service.base, { colorScheme: scheme });
    await page
      .context()
      .addCookies([{ name: "centavo_language", value: language, url: `${service.base}/console` }]);
    await page.goto("/console/sign-in");
    expect(await pageWeight(page)).toBeLessThan(MAX_PAGE_BYTES);
    for (const path of PLAIN_SCREENS) await judge(page, path);
    await signIn(page, "developer");
    for (const path of SCREENS) await judge(page, path);
  },
);

async function judge(page: Awaited<ReturnType<typeof openPage>>, path: string) {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(path);
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
}
