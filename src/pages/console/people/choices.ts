import { setCookie } from "hono/cookie";
import type { ConsoleContext } from "../context.ts";
import { COMPANY_COOKIE, hasSecureCookies } from "./session.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Keeps what a person chose in this browser, for a year. */
export function remember(c: ConsoleContext, name: string, value: string): void {
  setCookie(c, name, value, {
    path: "/console",
    httpOnly: true,
    sameSite: "Lax",
    secure: hasSecureCookies(c),
    maxAge: YEAR_SECONDS,
  });
}

/** Opens a company of the person's from the next request on. */
export function chooseCompany(c: ConsoleContext, companyId: number): void {
  remember(c, COMPANY_COOKIE, String(companyId));
}
