import type { z } from "@hono/zod-openapi";
import type { RetirementCheck } from "../../../company/runtime/versioned-command.ts";
import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import { listCompanies } from "../../../db/companies/companies.ts";
import { findMovedClock } from "../../../db/company-clocks.ts";
import {
  changeCompany,
  changeCompanyMode,
  closeCompany,
  findCompanyRecord,
  reopenCompany,
  type CompanyRecord,
  type GuardedOutcome,
} from "../../../db/companies/company-records.ts";
import { requireDatabaseFor } from "../../../db/sharding/new-company-database.ts";
import type { ProposalRow } from "../../../db/operator/proposals.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import type { Company } from "../../../domain/shared/company.ts";
import { audited, type AuditedAction } from "../../../http/audit.ts";
import { StaleVersionError } from "../../../http/auth/optimistic-auth.ts";
import { operatorRequester } from "../../../http/audit.ts";
import type { AppContext } from "../../../http/context.ts";
import { invalidState, notFound } from "../../../http/problems.ts";
import { copyFreeze } from "../audit/service.ts";
import { changeTerms, showTerms, termsChange } from "../../settings/service.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";
import { requireCompany, retryOnStaleCompany } from "../company-param.ts";
import { pixKeyOf } from "./create.ts";
import type {
  ChangeCompany,
  ChangeCompanyTerms,
  CompaniesQuery,
  FreezeCompany,
} from "./schemas.ts";
import type { ProposalRequest } from "../proposals/service.ts";
import {
  auditedCompany,
  companyItemView,
  companyView,
  freezeView,
  type CompanyView,
} from "./views.ts";
import { checkProposal, propose } from "../proposals/service.ts";
import { breaks } from "../../../lib/fields/rules.ts";

/** A page of all companies, by number, with the result of their last check. */
export async function pageOfCompanies(
  env: Env,
  { after, limit, search, status }: z.output<typeof CompaniesQuery>,
) {
  const rows = await listCompanies(env, after, limit + 1, { search, status });
  const items = rows.slice(0, limit).map(companyItemView);
  const hasMore = rows.length > limit;
  return { items, after: hasMore ? String(items.at(-1)?.id) : null, hasMore };
}

/** A company as operators see it. Throws 404. */
export async function showCompany(env: Env, companyId: number) {
  return companyView(await requireRecord(env, companyId));
}

/**
 * Changes a company's name, mode and its bank account's document at once, and proposes another main PIX key, which
 * another operator approves. Throws 404, and 409 for another mode of a company that has ever had a charge, a movement
 * or a PSP: sandbox money must never become real money.
 */
export async function patchCompany(
  c: AppContext,
  companyId: number,
  request: z.output<typeof ChangeCompany>,
): Promise<{ company: CompanyView } | { proposal: ProposalRow }> {
  const before = await requireRecord(c.env, companyId);
  const proposal = keyProposal(before, request);
  if (proposal === null) return { company: await changeAtOnce(c, before, request) };
  // Before anything acts: a request that is refused changes nothing.
  await checkProposal(c, proposal);
  const { name, mode, document } = request;
  const isMore = [name, mode, document].some((value) => value !== undefined);
  if (isMore) await changeAtOnce(c, before, request);
  return { proposal: await propose(c, proposal) };
}

/** The proposal in a request for another main PIX key; null if it asks for none. */
function keyProposal(
  before: CompanyRecord,
  { pixKey, pixKeyType, reason = "" }: z.output<typeof ChangeCompany>,
): ProposalRequest | null {
  const key = pixKeyOf(pixKey, pixKeyType);
  if (key === undefined || (key?.value ?? null) === before.mainPixKey) return null;
  return {
    action: "company.pix_key",
    companyId: before.id,
    target: `company:${before.id}`,
    request: { pixKey: key?.value ?? null, pixKeyType: key?.type ?? null },
    reason,
    evidence: null,
  };
}

/** Changes all of a company but its main PIX key. */
async function changeAtOnce(
  c: AppContext,
  before: CompanyRecord,
  request: z.output<typeof ChangeCompany>,
): Promise<CompanyView> {
  const { id: companyId } = before;
  const { name, mode = before.mode, document } = request;
  // Of a move that was cut off, the company's row does not know.
  const becomesLive = mode === "live" && mode !== before.mode;
  if (becomesLive && (await findMovedClock(c.env, companyId)) !== null) {
    throw invalidState("Its clock was moved: make another company for real money", "clock_moved");
  }
  // A company of the other mode may belong into another database.
  if (mode !== before.mode) requireDatabaseFor(c.env, mode, before.database);
  const change = {
    name,
    bankDocument: document === null ? "" : document,
    nowMs: c.get("deps").platformClock.now(),
  };
  const after = {
    ...before,
    mode,
    name: name ?? before.name,
    bankDocument: change.bankDocument ?? before.bankDocument,
  };
  const action = { ...companyAction(companyId, "change"), reason: request.reason ?? null };
  const values = { before: auditedCompany(before), after: auditedCompany(after) };
  await audited(c, { ...action, ...values }, async () => {
    if (mode === before.mode) {
      await updateCredentials(c.env, companyId, () => changeCompany(c.env, companyId, change));
      return;
    }
    await retire(c, companyId, "movements", (company) =>
      changeCompanyMode(c.env, company, { ...change, mode }),
    );
  });
  return showCompany(c.env, companyId);
}

/**
 * Closes a company: its credentials are refused from the next request on. What PSPs still report is booked.
 * Closing a closed one changes nothing. Throws 404, and 409 while money, charges or other work is open.
 */
export async function close(c: AppContext, companyId: number, reason: string) {
  const before = await requireRecord(c.env, companyId);
  if (before.closedAt !== null) return companyView(before);
  const now = c.get("deps").platformClock.now();
  const closed = await audited(c, { ...companyAction(companyId, "close"), reason }, () =>
    retire(c, companyId, "money", (company) => closeCompany(c.env, company, now)),
  );
  return companyView(closed);
}

/** Opens a closed company again: its keys work as before. Idempotent. Throws 404. */
export async function reopen(c: AppContext, companyId: number, reason: string) {
  const before = await requireRecord(c.env, companyId);
  if (before.closedAt === null) return companyView(before);
  await audited(c, { ...companyAction(companyId, "reopen"), reason }, () =>
    updateCredentials(c.env, companyId, () => reopenCompany(c.env, companyId)),
  );
  return showCompany(c.env, companyId);
}

/**
 * Changes a company's terms or freezes it, at once. The end of a freeze is proposed, and the other terms act at once.
 * Throws 404, 400 for the end of a freeze without a reason, and the problems of a proposal.
 */
export async function changeCompanyTerms(
  c: AppContext,
  companyId: number,
  { reason, ...sent }: z.output<typeof ChangeCompanyTerms>,
) {
  const company = await requireCompany(c, companyId);
  const before = await showTerms(c.env, companyId, company.terms);
  const isUnfreeze = before.frozen && sent.frozen === false;
  const unfreeze = isUnfreeze ? unfreezeProposal(companyId, requireReason(reason)) : null;
  if (unfreeze !== null) await checkProposal(c, unfreeze);
  const { frozen, ...terms } = sent;
  const change = frozen === true ? sent : terms;
  if (unfreeze === null || Object.keys(terms).length > 0) {
    const entry = { ...termsChange(companyId, before, change), reason: reason ?? null };
    const cause = { reason: reason ?? "", by: operatorRequester(c) };
    const changed = await audited(c, entry, () => changeTerms(c.env, companyId, change, cause));
    if (changed === null) throw notFound("company");
    if (unfreeze === null) return { terms: changed };
  }
  return { proposal: await propose(c, unfreeze) };
}

/**
 * Freezes a company at once: to tighten takes one person. What is frozen stays so; a company of which no more is frozen
 * than before keeps its cause. Throws 404.
 */
export async function freezeCompany(
  c: AppContext,
  companyId: number,
  { reason, ...scope }: z.output<typeof FreezeCompany>,
) {
  await requireRecord(c.env, companyId);
  const cause = { reason, by: operatorRequester(c) };
  await audited(c, { ...companyAction(companyId, "freeze"), after: scope, reason }, () =>
    callCompany(c.env, companyId, (account) =>
      account.setFrozen({ companyId, change: scope, cause }),
    ),
  );
  // Creates ask D1, which the object's own change may reach later.
  return freezeView(companyId, await copyFreeze(c.env, companyId));
}

/** Proposes to end a company's freeze. Throws 404 and the problems of a proposal. */
export async function proposeUnfreeze(c: AppContext, companyId: number, reason: string) {
  return propose(c, unfreezeProposal(companyId, reason));
}

function unfreezeProposal(companyId: number, reason: string): ProposalRequest {
  const target = `company:${companyId}`;
  return {
    action: "company.unfreeze",
    companyId,
    target,
    request: {},
    reason,
    evidence: null,
  };
}

function requireReason(reason: string | undefined): string {
  if (reason !== undefined && reason.trim() !== "") return reason;
  throw new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: reason.",
    errors: { reason: [breaks("requiredTo", { action: "end a freeze" })] },
  });
}

/**
 * Makes a change that only a company without certain obstacles allows: its object retires the credentials that
 * were read, then D1 makes the change at that version (decision 0034). Throws 409.
 */
async function retire(
  c: AppContext,
  companyId: number,
  unless: RetirementCheck,
  change: (company: Company) => Promise<GuardedOutcome>,
): Promise<CompanyRecord> {
  return retryOnStaleCompany(c, companyId, async ({ env, company }) => {
    const { credentialsVersion } = company;
    const answer = await callCompany(env, companyId, (account) =>
      account.retireCredentials({ companyId, credentialsVersion, unless }),
    );
    if (answer.kind === "version_conflict") throw new StaleVersionError(answer.newest);
    if (answer.kind === "open") {
      throw invalidState(`The company has ${answer.obstacles.join(", ")}`, "company_in_use");
    }
    const outcome = await change(company);
    if (outcome === "stale") throw new StaleVersionError(null);
    if (outcome === "open") {
      throw invalidState(
        unless === "money"
          ? "The company has open charges"
          : "The company has had charges or has a PSP",
        "company_in_use",
      );
    }
    return outcome;
  });
}

function companyAction(
  companyId: number,
  verb: string,
): Pick<AuditedAction, "companyId" | "action" | "target"> {
  return { companyId, action: `company.${verb}`, target: `company:${companyId}` };
}

async function requireRecord(env: Env, companyId: number): Promise<CompanyRecord> {
  const found = await findCompanyRecord(env, companyId);
  if (found === null) throw notFound("company");
  return found;
}
