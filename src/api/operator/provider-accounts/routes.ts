import { publicOrigin } from "../../../config.ts";
import { listAccounts } from "../../../db/companies/psp-accounts.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody } from "../../../http/body.ts";
import type { AppContext } from "../../../http/context.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import {
  COMPANY,
  companyContext,
  CompanyParam,
  requireCompany,
  retryOnStaleCompany,
} from "../company-param.ts";
import { proposed } from "../proposals/propose.ts";
import { OneProposal } from "../proposals/schemas.ts";
import { auditedAccount } from "./audit.ts";
import { accountFields, newAccountOf } from "./new-account.ts";
import {
  AccountBody,
  AccountChange,
  AccountParam,
  ConnectedAccount,
  OneProviderAccount,
  ProviderAccounts,
  RemovedAccount,
} from "./schemas.ts";
import {
  changeAccount,
  changeTakesTwo,
  connectAccount,
  connectedAccount,
  connectTakesTwo,
  disconnectAccount,
  originFor,
  termsAfter,
} from "./service.ts";
import { shownAccount, shownAccounts } from "./views.ts";

const route = routesOf("Operator");
const PROVIDERS = `${COMPANY}/providers`;
const ACCOUNT = `${PROVIDERS}/{account}`;

const list = route.get(PROVIDERS, {
  operationId: "listProviderAccounts",
  summary: "List the accounts of a company at PSPs and acquirers",
  description:
    "The connected ones by priority, then those that it left. Secrets are never shown. The role `read` sees PIX " +
    "keys and the token of `callbackUrl` masked, and no query of a URL.",
  guard: requireOperator("companies:read"),
  params: CompanyParam,
  answers: { 200: jsonResponse("The accounts", ProviderAccounts) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const put = route.put(ACCOUNT, {
  operationId: "connectProviderAccount",
  summary: "Connect an account of a live company at a PSP or an acquirer",
  description:
    "Charges go to the account with the lowest `priority` that carries their method and whose `conditions` they " +
    "meet, and stay with it for ever. A company's first account, and another secret or other terms of one that " +
    "leads where it did, act at once. A further account, one that leads elsewhere, and payouts over another one " +
    "need a `reason` and are proposed (202): another operator approves them. A name stays with its account at the " +
    "bank: for another one connect a new name, and drain the old.",
  guard: requireOperator("companies:write"),
  params: AccountParam,
  body: jsonBody(AccountBody),
  checks: [accountFields],
  answers: {
    200: jsonResponse("The account, and its callback URL's registration", ConnectedAccount),
    202: jsonResponse("The proposal of the connection", OneProposal),
  },
  problems: ["NOT_FOUND", "INVALID_STATE", "SECOND_OPERATOR_REQUIRED"],
});

const patch = route.patch(ACCOUNT, {
  operationId: "changeProviderAccount",
  summary: "Change which charges and payouts an account takes",
  description:
    "An account that drains takes no new charges and payouts, and serves those that it has. Payouts over an " +
    "account that had none, or in another order, need a `reason` and are proposed (202).",
  guard: requireOperator("companies:write"),
  params: AccountParam,
  body: jsonBody(AccountChange),
  answers: {
    200: jsonResponse("The account", OneProviderAccount),
    202: jsonResponse("The proposal of the change", OneProposal),
  },
  problems: ["NOT_FOUND", "INVALID_STATE", "SECOND_OPERATOR_REQUIRED"],
});

const remove = route.delete(ACCOUNT, {
  operationId: "disconnectProviderAccount",
  summary: "Disconnect one account of a company",
  description:
    "409 while a charge, withdraw, refund, return, dispute or callback of it is open. Later refunds of its " +
    "payments are refused (`PROVIDER_DISCONNECTED`).",
  guard: requireOperator("companies:write"),
  params: AccountParam,
  answers: { 200: jsonResponse("The account is disconnected", RemovedAccount) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND", "INVALID_STATE"],
});

export {
  list as listProviderAccounts,
  put as connectProviderAccount,
  patch as changeProviderAccount,
  remove as disconnectProviderAccount,
};

/** An operator's routes for a company's accounts at PSPs and acquirers. */
export function providerAccountRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    const context = await companyContext(c, c.req.valid("param").companyId);
    return c.json({ data: await shownAccounts(c, context) }, 200);
  });

  app.openapi(put, async (c) => {
    const { companyId, account } = c.req.valid("param");
    const { reason = "", ...request } = c.req.valid("json");
    const company = await requireCompany(c, companyId);
    const rows = await listAccounts(c.env, companyId);
    const origin = originFor(rows, account) ?? publicOrigin(c.env, c.req.url);
    const wanted = newAccountOf(account, request, origin);
    if (await connectTakesTwo({ env: c.env, company }, wanted)) {
      return c.json(await accountProposed(c, { companyId, account, request, reason }), 202);
    }
    const before = rows.find((each) => each.account === account);
    const values = {
      before: before === undefined ? null : auditedAccount(before),
      after: auditedAccount(wanted),
    };
    const connected = await audited(
      c,
      { ...accountAction(companyId, account, "connect"), ...values },
      () => retryOnStaleCompany(c, companyId, (context) => connectAccount(context, wanted, false)),
    );
    const data = await shownAccount(c, await companyContext(c, companyId), account);
    return c.json({ data, ...connected }, 200);
  });

  app.openapi(patch, async (c) => {
    const { companyId, account } = c.req.valid("param");
    const { reason = "", ...change } = c.req.valid("json");
    const context = await companyContext(c, companyId);
    if (await changeTakesTwo(context, account, change)) {
      return c.json(await accountProposed(c, { companyId, account, request: change, reason }), 202);
    }
    const before = await connectedAccount(context, account);
    const values = {
      before: auditedAccount(before),
      after: auditedAccount({ ...before, ...termsAfter(before, change) }),
    };
    await audited(c, { ...accountAction(companyId, account, "change"), ...values }, () =>
      retryOnStaleCompany(c, companyId, (read) => changeAccount(read, account, change, false)),
    );
    const data = await shownAccount(c, await companyContext(c, companyId), account);
    return c.json({ data }, 200);
  });

  app.openapi(remove, async (c) => {
    const { companyId, account } = c.req.valid("param");
    await requireCompany(c, companyId);
    const rows = await listAccounts(c.env, companyId);
    const row = rows.find((each) => each.account === account);
    const before = row === undefined ? null : auditedAccount(row);
    await audited(c, { ...accountAction(companyId, account, "disconnect"), before }, () =>
      retryOnStaleCompany(c, companyId, (context) => disconnectAccount(context, account)),
    );
    return c.json({ removed: true as const }, 200);
  });
}

/** Proposes to connect an account or to change one. Throws 400 without a reason. */
async function accountProposed(
  c: AppContext,
  proposal: { companyId: number; account: string; request: object; reason: string },
) {
  const { companyId, account, request, reason } = proposal;
  if (reason.trim() === "") {
    throw new Problem({
      code: "VALIDATION_FAILED",
      detail: "Invalid fields: reason.",
      errors: { reason: [breaks("requiredForApproval")] },
    });
  }
  return proposed(c, {
    action: "company.provider",
    companyId,
    target: `provider:${account}`,
    request,
    reason,
    evidence: null,
  });
}

function accountAction(companyId: number, account: string, verb: string) {
  return { companyId, action: `provider.${verb}`, target: `provider:${account}` };
}
