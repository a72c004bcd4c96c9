import { expect, it } from "vitest";
import { SCOPES_OF_PERSON_ROLE } from "../../../../src/domain/access/person.ts";
import { PERSON_ROLES, type PersonRole } from "../../../../src/domain/access/person-role.ts";
import type { Scope } from "../../../../src/domain/shared/company.ts";
import { consoleApp } from "../../../../src/pages/console/app.tsx";
import { requireCashier } from "../../../../src/pages/console/people/counter/require-cashier.ts";
import {
  requireOperatorPerson,
  requireMember,
  requireMemberOrOperator,
} from "../../../../src/pages/console/people/require-member.ts";
import { scopeGuardedBy } from "../../../../src/pages/console/people/require-scope.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { Browser } from "../../../support/builders/console/browser.ts";
import { givenSession } from "../../../support/builders/console/people.ts";

/**
 * Who opens a page or does an action: the roles with a scope, every role, every role and every operator, whoever is
 * signed in (also without a company), or anyone. Operators' routes are in `operator-roles.test.ts`.
 */
type Access = Scope | "every role" | "every role and operator" | "signed in" | "anyone";

/** Every page and action of the console. A new route needs its line here. */
const ACCESS: Record<string, Access> = {
  "GET /console/assets/:file": "anyone",
  "GET /console/sign-in": "anyone",
  "POST /console/sign-in": "anyone",
  "GET /console/sign-in/code": "anyone",
  "POST /console/sign-in/code": "anyone",
  "POST /console/sign-out": "anyone",
  "POST /console/language": "anyone",
  "GET /console/passkeys/sign-in-options": "anyone",
  "POST /console/passkeys/sign-in": "anyone",
  "GET /console/confirm": "signed in",
  "POST /console/confirm": "signed in",
  "POST /console/company": "signed in",
  "GET /console/passkeys/register-options": "signed in",
  "POST /console/passkeys/register": "signed in",
  "GET /console/second-factor": "signed in",
  "POST /console/second-factor": "signed in",
  "POST /console/second-factor/finish": "signed in",
  "GET /console/second-factor/codes": "signed in",
  "POST /console/second-factor/codes": "signed in",
  "GET /console/second-factor/remove": "signed in",
  "POST /console/second-factor/remove": "signed in",
  "GET /console/account": "every role and operator",
  "POST /console/account/password": "every role and operator",
  "POST /console/account/pin": "cashier:write",
  "POST /console/account/sessions/end": "every role and operator",
  "POST /console/account/sessions/end-others": "every role and operator",
  "POST /console/account/passkeys/remove": "every role and operator",
  "GET /console/team": "people:write",
  "POST /console/team/invitations": "people:write",
  "POST /console/team/invitations/:id/revoke": "people:write",
  "POST /console/team/people/:id/role": "people:write",
  "POST /console/team/people/:id/remove": "people:write",
  "POST /console/team/people/:id/password-link": "people:write",
  "POST /console/team/people/:id/pin/remove": "people:write",
  "POST /console/team/devices": "people:write",
  "POST /console/team/devices/:id/revoke": "people:write",
  "GET /console/password-reset": "anyone",
  "POST /console/password-reset": "anyone",
  "POST /console/password-reset/recovery": "anyone",
  "GET /console/password-reset/:token": "anyone",
  "POST /console/password-reset/:token": "anyone",
  "GET /console/invitation/:token": "anyone",
  "POST /console/invitation/:token": "anyone",
  "GET /console/operator/set-up/:token": "anyone",
  "POST /console/operator/set-up/:token": "anyone",
  "GET /console": "every role",
  "GET /console/live": "every role",
  "GET /console/payments": "transactions:read",
  "GET /console/requests": "keys:write",
  "GET /console/rehearsal": "balance:read",
  "GET /console/rehearsal.csv": "balance:read",
  "GET /console/fees": "balance:read",
  "GET /console/fees.csv": "balance:read",
  "GET /console/clock": "webhooks:write",
  "POST /console/clock": "webhooks:write",
  "GET /console/scenarios": "settings:write",
  "POST /console/scenarios": "settings:write",
  "GET /console/payments/views": "transactions:read",
  "POST /console/payments/views": "transactions:read",
  "POST /console/payments/views/:id/rename": "transactions:read",
  "POST /console/payments/views/:id/delete": "transactions:read",
  "GET /console/payments.csv": "transactions:read",
  "POST /console/payments": "pii:read",
  "GET /console/find": "every role",
  "POST /console/find": "every role",
  "GET /console/withdraws": "withdraws:read",
  "GET /console/withdraws.csv": "withdraws:read",
  "GET /console/withdraws/new": "withdraws:write",
  "POST /console/withdraws/new": "withdraws:write",
  "POST /console/withdraws": "withdraws:write",
  "GET /console/approvals/:payoutId": "withdraws:read",
  "GET /console/withdraws/:id": "withdraws:read",
  "GET /console/withdraws/:id/receipt.pdf": "withdraws:read",
  "POST /console/withdraws/:id/approve": "withdraws:approve",
  "POST /console/withdraws/:id/refuse": "withdraws:approve",
  "GET /console/disputes": "transactions:read",
  "GET /console/disputes/:id": "transactions:read",
  "GET /console/disputes/:id/:file": "transactions:read",
  "GET /console/disputes/:id/evidence": "transactions:read",
  "POST /console/disputes/:id/evidence": "disputes:write",
  "GET /console/disputes/:id/files": "transactions:read",
  "GET /console/disputes/:id/files/:fileId": "pii:read",
  "GET /console/disputes/:id/response": "transactions:read",
  "POST /console/disputes/:id/response": "disputes:write",
  "GET /console/disputes/:id/refund": "refunds:write",
  "POST /console/disputes/:id/refund": "refunds:write",
  "POST /console/disputes/:id/files": "disputes:write",
  "POST /console/disputes/:id/files/:fileId/remove": "disputes:write",
  "GET /console/unexpected-payments": "transactions:read",
  "GET /console/unexpected-payments/rules": "settings:write",
  "POST /console/unexpected-payments/rules": "settings:write",
  "GET /console/unexpected-payments/:id/credit": "payments:write",
  "POST /console/unexpected-payments/:id/credit": "payments:write",
  "GET /console/unexpected-payments/:id/return": "payments:write",
  "POST /console/unexpected-payments/:id/return": "payments:write",
  "GET /console/charges/new": "transactions:write",
  "POST /console/charges/new": "transactions:write",
  "GET /console/payments/:id": "transactions:read",
  "GET /console/payments/:id/status": "transactions:read",
  "GET /console/payments/:id/qr.png": "transactions:read",
  "GET /console/payments/:id/print": "transactions:read",
  "GET /console/payments/:id/receipt.pdf": "transactions:read",
  "POST /console/payments/:id/payer": "pii:read",
  "POST /console/payments/:id/resend": "webhooks:write",
  "GET /console/payments/:id/payer": "transactions:read",
  "GET /console/payments/:id/resend": "transactions:read",
  "GET /console/payments/:id/refund": "refunds:write",
  "POST /console/payments/:id/refund": "refunds:write",
  "POST /console/refunds/:id/approve": "withdraws:approve",
  "POST /console/refunds/:id/refuse": "withdraws:approve",
  "GET /console/refunds": "transactions:read",
  "GET /console/payments/:id/due-date": "transactions:write",
  "POST /console/payments/:id/due-date": "transactions:write",
  "GET /console/payments/:id/cancel": "transactions:write",
  "POST /console/payments/:id/cancel": "transactions:write",
  "GET /console/payments/:id/capture": "transactions:write",
  "POST /console/payments/:id/capture": "transactions:write",
  "GET /console/payments/:id/pay": "transactions:write",
  "POST /console/payments/:id/pay": "transactions:write",
  "GET /console/payments/:id/expire": "transactions:write",
  "POST /console/payments/:id/expire": "transactions:write",
  "GET /console/payments/:id/fail": "transactions:write",
  "POST /console/payments/:id/fail": "transactions:write",
  "GET /console/payments/:id/dispute": "transactions:write",
  "POST /console/payments/:id/dispute": "transactions:write",
  "GET /console/payments/:id/dispute-won": "transactions:write",
  "POST /console/payments/:id/dispute-won": "transactions:write",
  "GET /console/payments/:id/dispute-lost": "transactions:write",
  "POST /console/payments/:id/dispute-lost": "transactions:write",
  "GET /console/payments/:id/chargeback": "transactions:write",
  "POST /console/payments/:id/chargeback": "transactions:write",
  "GET /console/payments/:id/chargeback-reversed": "transactions:write",
  "POST /console/payments/:id/chargeback-reversed": "transactions:write",
  "GET /console/payers": "pii:read",
  "POST /console/payers": "pii:read",
  "GET /console/payers/:id": "pii:read",
  "GET /console/payers/:id/charges.csv": "pii:read",
  "GET /console/payers/*": "pii:read",
  "POST /console/payers/:id/cards/:card/delete": "transactions:write",
  "POST /console/payers/export": "pii:read",
  "POST /console/payers/erase/confirm": "settings:write",
  "POST /console/payers/erase": "settings:write",
  "GET /console/settings": "balance:read",
  "GET /console/calendar/:day": "balance:read",
  "GET /console/providers": "balance:read",
  "GET /console/settings/*": "settings:write",
  "POST /console/settings/withdraws": "settings:write",
  "POST /console/settings/withdraws/save": "settings:write",
  "POST /console/settings/pending/:field/refuse": "settings:write",
  "POST /console/settings/pix-keys": "settings:write",
  "POST /console/settings/pix-keys/:id/remove": "settings:write",
  "POST /console/settings/retention": "settings:write",
  "POST /console/settings/brand": "settings:write",
  "POST /console/settings/embed": "settings:write",
  "POST /console/settings/reminders": "settings:write",
  "POST /console/settings/terms": "settings:write",
  "GET /console/keys": "keys:write",
  "GET /console/keys/new": "keys:write",
  "POST /console/keys": "keys:write",
  "GET /console/keys/:id": "keys:write",
  "POST /console/keys/:id/issue": "keys:write",
  "GET /console/keys/:id/change": "keys:write",
  "POST /console/keys/:id/change": "keys:write",
  "GET /console/keys/:id/revoke/:keyId": "keys:write",
  "POST /console/keys/:id/revoke/:keyId": "keys:write",
  "GET /console/keys/:id/delete": "keys:write",
  "POST /console/keys/:id/delete": "keys:write",
  "GET /console/payment-links": "transactions:read",
  "GET /console/payment-links/new": "transactions:write",
  "POST /console/payment-links": "transactions:write",
  "GET /console/payment-links/:id": "transactions:read",
  "POST /console/payment-links/:id": "transactions:write",
  "GET /console/payment-links/:id/print": "transactions:read",
  "GET /console/payment-links/:id/:file": "transactions:read",
  "GET /console/subscriptions": "transactions:read",
  "GET /console/subscriptions/new": "transactions:write",
  "POST /console/subscriptions": "transactions:write",
  "GET /console/subscriptions/upcoming": "transactions:read",
  "GET /console/subscriptions/banks": "transactions:read",
  "GET /console/subscriptions/recovered": "transactions:read",
  "GET /console/subscriptions/:id": "transactions:read",
  "POST /console/subscriptions/:id/:action": "transactions:write",
  "POST /console/subscriptions/:id/charges/:transactionId/:action": "transactions:write",
  "GET /console/static-codes": "transactions:read",
  "POST /console/static-codes": "transactions:write",
  "GET /console/static-codes/:id": "transactions:read",
  "GET /console/static-codes/:id/qr.png": "transactions:read",
  "GET /console/static-codes/:id/print": "transactions:read",
  "POST /console/static-codes/:id/delete": "transactions:write",
  "GET /console/cashier": "cashier:write",
  "GET /console/cashier/question": "cashier:write",
  "GET /console/cashier/live": "cashier:write",
  "GET /console/cashier/device": "anyone",
  "POST /console/cashier/device": "anyone",
  "POST /console/cashier/device/leave": "anyone",
  "POST /console/cashier/device/end": "anyone",
  "GET /console/cashier/shift": "cashier:write",
  "GET /console/cashier/shifts/:id": "cashier:write",
  "GET /console/cashier/charges/:id": "cashier:write",
  "GET /console/cashier/charges/:id/status": "cashier:write",
  "POST /console/cashier/open": "cashier:write",
  "POST /console/cashier/close": "cashier:write",
  "POST /console/cashier/charges": "cashier:write",
  "GET /console/statement": "balance:read",
  "GET /console/statement/:file": "balance:read",
  "GET /console/statement/month/:file": "balance:read",
  "GET /console/statement/postings": "balance:read",
  "GET /console/statement/verify": "balance:read",
  "POST /console/statement/verify": "balance:read",
  "GET /console/forecast": "balance:read",
  "GET /console/calendar": "balance:read",
  "GET /console/audit": "settings:write",
  "GET /console/audit/trail.json": "settings:write",
  "GET /console/webhooks": "webhooks:read",
  "POST /console/webhooks": "webhooks:write",
  "POST /console/webhooks/test": "webhooks:write",
  "GET /console/webhooks/secret": "webhooks:write",
  "POST /console/webhooks/secret": "webhooks:write",
  "POST /console/webhooks/secret/end-previous": "webhooks:write",
  "GET /console/webhooks/endpoints/new": "webhooks:write",
  "POST /console/webhooks/endpoints": "webhooks:write",
  "GET /console/webhooks/endpoints/:id": "webhooks:read",
  "GET /console/webhooks/endpoints/:id/change": "webhooks:write",
  "POST /console/webhooks/endpoints/:id": "webhooks:write",
  "POST /console/webhooks/endpoints/:id/test": "webhooks:write",
  "GET /console/webhooks/endpoints/:id/secret": "webhooks:write",
  "POST /console/webhooks/endpoints/:id/secret": "webhooks:write",
  "GET /console/webhooks/endpoints/:id/delete": "webhooks:write",
  "POST /console/webhooks/endpoints/:id/delete": "webhooks:write",
  "GET /console/webhooks/verify": "webhooks:read",
  "POST /console/webhooks/verify": "webhooks:read",
  "GET /console/webhooks/deliveries": "webhooks:read",
  "GET /console/webhooks/deliveries/:id": "webhooks:read",
  "POST /console/webhooks/deliveries/:id/resend": "webhooks:write",
  "GET /console/events": "webhooks:read",
  "GET /console/events/:id": "webhooks:read",
};

const nameOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replaceAll(/(?<=:\w+)\{[^}]+\}/g, "")}`;
const isOfOperators = ({ path }: { path: string }) =>
  consoleApp.routes.some((one) => one.path === path && one.handler === requireOperatorPerson);
const routes = consoleApp.routes.filter((one) => one.method !== "ALL" && !isOfOperators(one));
const guarded = Object.entries(ACCESS).filter(
  ([, access]) => access !== "anyone" && access !== "signed in",
);

it("every route of the console is in the table, and no other", () => {
  expect([...new Set(routes.map(nameOf))].toSorted()).toEqual(Object.keys(ACCESS).toSorted());
});

it("every route declares the scope of the table, after it has asked for a person", () => {
  for (const [name, access] of guarded) {
    const handlers = routes.filter((route) => nameOf(route) === name).map(({ handler }) => handler);
    expect(handlers, name).toContain(guardOf(name, access));
    const scopes = handlers.flatMap((handler) => scopeGuardedBy(handler) ?? []);
    expect(scopes, name).toEqual(access.startsWith("every role") ? [] : [access]);
  }
});

it.each(PERSON_ROLES)("as %s, every page and action is allowed or refused", async (role) => {
  const session = await givenSession(await givenCompany(), role, { nowMs: Date.now() });
  const browser = new Browser(session);
  const answers: Record<string, "allowed" | "refused"> = {};
  for (const [name] of guarded) {
    const [method = "", path = ""] = name.split(" ");
    const form = method === "GET" ? {} : { form: {} };
    const { status, headers } = await browser.ask(sampleOf(path), form);
    expect(status, name).toBeLessThan(500);
    expect(headers.get("Location") ?? "", name).not.toContain("/console/sign-in");
    answers[name] = status === 403 ? "refused" : "allowed";
  }
  const expected = guarded.map(([name, access]) => [name, isAllowed(role, access)]);
  expect(answers).toEqual(Object.fromEntries(expected));
});

it.each(guarded)("%s leads to the sign-in without a session", async (name) => {
  const [method = "", path = ""] = name.split(" ");
  const { status, headers } = await new Browser().ask(
    sampleOf(path),
    method === "GET" ? {} : { form: {} },
  );
  expect(status).toBe(303);
  expect(headers.get("Location")).toContain("/console/sign-in");
});

/** What asks a route for its person: at the counter it may be somebody with a PIN. */
function guardOf(name: string, access: Access) {
  if (name.includes(" /console/cashier")) return requireCashier;
  return access === "every role and operator" ? requireMemberOrOperator : requireMember;
}

/** A path with a value in each of its places. */
function sampleOf(path: string): string {
  return path
    .replace(":file", "dossier.pdf")
    .replace(":field", "refundApprovalAbove")
    .replaceAll(/:\w+/g, "1")
    .replace("*", "page");
}

function isAllowed(role: PersonRole, access: Access): "allowed" | "refused" {
  const isOpen =
    access.startsWith("every role") || SCOPES_OF_PERSON_ROLE[role].includes(access as Scope);
  return isOpen ? "allowed" : "refused";
}
