import type { z } from "@hono/zod-openapi";
import { configOf } from "../../../../config.ts";
import { listAccounts } from "../../../../db/companies/psp-accounts.ts";
import { accountProposalContext } from "../../../../domain/psp/psp-settings.ts";
import { invalidState } from "../../../../http/problems.ts";
import { breaks } from "../../../../lib/fields/rules.ts";
import { canonicalJson } from "../../../../lib/hash.ts";
import { seal, unseal } from "../../../../lib/secret-box.ts";
import { auditedAccount } from "../../provider-accounts/audit.ts";
import { accountFieldIssues, newAccountOf } from "../../provider-accounts/new-account.ts";
import { AccountBody, AccountChange } from "../../provider-accounts/schemas.ts";
import {
  changeAccount,
  changeTakesTwo,
  connectAccount,
  connectTakesTwo,
  originFor,
} from "../../provider-accounts/service.ts";
import {
  NOT_ASKED,
  parseRequest,
  requestProblem,
  type PreparedAction,
  type ProposalContext,
} from "../action.ts";

/** A request as a route takes it (`secrets`), or as a proposal stores it (`sealedSecret`). */
type Parts = { fields: Record<string, unknown>; sealedSecret: string | null };

/** Connecting an account of a company, or changing which payouts it takes. Throws 400. */
export async function prepareAccount(
  context: ProposalContext,
  account: string,
  request: unknown,
): Promise<PreparedAction> {
  const isConnection = typeof request === "object" && request !== null && "provider" in request;
  return isConnection
    ? prepareConnection(context, account, request)
    : prepareChange(context, account, request);
}

async function prepareConnection(
  context: ProposalContext,
  account: string,
  request: object,
): Promise<PreparedAction> {
  const { body, origin } = await readBody(context, account, request);
  const wanted = newAccountOf(account, body, origin);
  const { secrets, reason: _reason, ...named } = body;
  const fields = { ...named, settings: { ...named.settings, callbackOrigin: origin } };
  const sealContext = contextOf(context, account, fields);
  const sealedSecret =
    partsOf(request).sealedSecret ??
    (await seal(configOf(context.env).secretsKeys, JSON.stringify(secrets), sealContext));
  return {
    request: { ...fields, sealedSecret },
    audited: auditedAccount(wanted),
    isSameAs: async (other) => {
      const stored = partsOf(other);
      if (canonicalJson(stored.fields) !== canonicalJson(fields)) return false;
      const opened = await openSecrets(context, account, stored);
      return canonicalJson(opened) === canonicalJson(secrets);
    },
    async check() {
      if (context.company.mode !== "live")
        throw invalidState("A sandbox company cannot have a PSP", "sandbox_company");
      if (!(await connectTakesTwo(context, wanted))) throw needsNoSecond();
    },
    ask: async () => NOT_ASKED,
    hadEffect: async () => !(await connectTakesTwo(context, wanted)),
    async execute() {
      const { webhook, webhookFault } = await connectAccount(context, wanted, true);
      return { account, webhook, webhookFault };
    },
  };
}

function prepareChange(
  context: ProposalContext,
  account: string,
  request: unknown,
): PreparedAction {
  const { reason: _reason, ...change } = parseRequest(AccountChange, request);
  return {
    request: change,
    audited: { account, ...change },
    async check() {
      if (!(await changeTakesTwo(context, account, change))) throw needsNoSecond();
    },
    ask: async () => NOT_ASKED,
    hadEffect: async () => !(await changeTakesTwo(context, account, change)),
    async execute() {
      await changeAccount(context, account, change, true);
      return { account };
    },
  };
}

function needsNoSecond() {
  return invalidState("One operator may do this. Change the account directly", "unchanged");
}

/** The body, and the origin that is called back. Throws 400, and 409 for secrets that no key opens. */
async function readBody(context: ProposalContext, account: string, request: object) {
  const { env, company } = context;
  const parts = partsOf(request);
  const secrets =
    parts.sealedSecret === null ? {} : { secrets: await openSecrets(context, account, parts) };
  const body = parseRequest(AccountBody, { ...parts.fields, ...secrets });
  const lastOrigin = originFor(await listAccounts(env, company.id), account);
  const { callbackOrigin = lastOrigin, ...settings } = body.settings;
  // The service's own origin is no field of an operator's.
  const isKept = callbackOrigin === lastOrigin;
  const checked = isKept ? { ...body, settings } : body;
  const issues: z.core.$ZodIssue[] = accountFieldIssues(env, checked);
  if (callbackOrigin === null) {
    const path = ["settings", "callbackOrigin"];
    issues.push({ code: "custom", path, message: breaks("required"), input: undefined });
  }
  if (callbackOrigin === null || issues.length > 0) throw requestProblem(issues);
  return { body, origin: callbackOrigin };
}

/** The secrets of a stored request. Throws 409 if no key opens them. */
async function openSecrets(
  context: ProposalContext,
  account: string,
  { fields, sealedSecret }: Parts,
): Promise<unknown> {
  if (sealedSecret === null) return null;
  try {
    const sealContext = contextOf(context, account, fields);
    return JSON.parse(await unseal(configOf(context.env).secretsKeys, sealedSecret, sealContext));
  } catch {
    throw invalidState(
      "SECRETS_KEY does not open the proposal's secret. Refuse the proposal and propose it again",
      "secret_unreadable",
    );
  }
}

function contextOf({ company }: ProposalContext, account: string, fields: object): string {
  return accountProposalContext(company.providerCompanyId, canonicalJson({ account, fields }));
}

function partsOf(request: object): Parts {
  const { sealedSecret, ...fields } = { ...(request as Record<string, unknown>) };
  return { fields, sealedSecret: typeof sealedSecret === "string" ? sealedSecret : null };
}
