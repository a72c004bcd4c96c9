import type { Page } from "playwright-core";
import type { PersonRole } from "../../../src/domain/access/person-role.ts";
import {
  LOCAL_OPERATOR_PERSON,
  LOCAL_PASSWORD,
  localCode,
} from "../../../tools/lib/local-people.ts";

/** Signs in as a local person, or the operator, by password, and by a code where the role needs one. */
export async function signIn(page: Page, role: PersonRole | "operator", next = "/console/account") {
  await page.goto(`/console/sign-in?next=${encodeURIComponent(next)}`);
  await page.fill(
    "input[name=email]",
    role === "operator" ? LOCAL_OPERATOR_PERSON.email : `${role}@loja.local`,
  );
  await page.fill("input[name=password]", LOCAL_PASSWORD);
  await page.click("main form button.primary");
  await page.waitForURL(({ pathname }) => pathname !== "/console/sign-in");
  if (new URL(page.url()).pathname.endsWith("/code")) {
    await page.fill("input[name=code]", await localCode());
    await page.click("main form button.primary");
    await page.waitForURL(({ pathname }) => pathname !== "/console/sign-in/code");
  }
}
