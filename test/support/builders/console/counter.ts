import type { PersonRole } from "../../../../src/domain/access/person-role.ts";
import type { TestCompany } from "../companies/company.ts";
import { Browser, type Page } from "./browser.ts";
import { givenSession } from "./people.ts";
import { visit } from "./visit.ts";

/** A shared counter of a company, made by its owner. */
export interface TestCounter {
  browser: Browser;
  /** The `Cookie` that makes a browser this counter. */
  cookie: string;
}

export async function givenCounter(company: TestCompany, name = "Balcão 1"): Promise<TestCounter> {
  const browser = new Browser(await givenSession(company, "owner"));
  const { headers } = await browser.ask("/console/team/devices", { form: { device: name } });
  const cookies = headers.getSetCookie().map((each) => each.split(";")[0] ?? "");
  return { browser, cookie: cookies.find((each) => each.startsWith("centavo.counter=")) ?? "" };
}

/** Gives the person of a role (`givenSession`) a PIN of the company's counter; answers the person's id. */
export async function givenPin(
  company: TestCompany,
  role: PersonRole,
  pin: string,
): Promise<string> {
  await visit(company, "/console/account/pin", { role, form: { pin } });
  return `test_${role}_${company.id}`;
}

/** Types a PIN at a counter. */
export function typePin({ browser }: TestCounter, person: string, pin: string): Promise<Page> {
  return browser.ask("/console/cashier/device", { form: { person, pin } });
}

/** The path of a charge that the cashier (`givenSession`) made in an open shift. */
export async function givenCashierCharge(
  company: TestCompany,
  amount = "25,00",
  idempotencyKey: string = crypto.randomUUID(),
): Promise<string> {
  const role = "cashier";
  await visit(company, "/console/cashier/open", { role, form: {} });
  const form = { amount, idempotencyKey };
  const { headers } = await visit(company, "/console/cashier/charges", { role, form });
  return headers.get("Location") ?? "";
}
