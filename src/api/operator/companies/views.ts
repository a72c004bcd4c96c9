import type { listCompanies } from "../../../db/companies/companies.ts";
import type { CompanyRecord } from "../../../db/companies/company-records.ts";
import type { Freeze } from "../../../domain/access/freeze.ts";
import { isoTime, isoTimeOrNull } from "../../../domain/shared/clock.ts";
import type { AppContext } from "../../../http/context.ts";
import { seesPayers } from "../payer-views.ts";
import { maskDocument, maskPixKey } from "../../../domain/access/masks.ts";

type CompanyRow = Awaited<ReturnType<typeof listCompanies>>[number];

/** A company in the operators' list. */
export function companyItemView({ id, name, mode, closedAt, checkedAt, violations }: CompanyRow) {
  return {
    id,
    name,
    mode,
    closedAt: isoTimeOrNull(closedAt),
    checkedAt: isoTimeOrNull(checkedAt),
    violations: violations ?? [],
  };
}

/** A company as operators see it. */
export function companyView(company: CompanyRecord) {
  return {
    id: company.id,
    name: company.name,
    mode: company.mode,
    providerCompanyId: company.providerCompanyId,
    document: company.bankDocument,
    pixKey: company.mainPixKey,
    pixKeyType: company.mainPixKeyType,
    database: company.database,
    createdAt: isoTime(company.createdAt),
    closedAt: isoTimeOrNull(company.closedAt),
  };
}

/** The role `read` sees a company's document and PIX key masked. */
export function visibleCompany(c: AppContext, company: CompanyView): CompanyView {
  if (seesPayers(c)) return company;
  const { document, pixKey: value, pixKeyType: type } = company;
  const pixKey = value === null || type === null ? null : maskPixKey({ type, value });
  return { ...company, document: maskDocument(document), pixKey };
}

export type CompanyView = ReturnType<typeof companyView>;

/** A company's freeze as operators see it. */
export function freezeView(companyId: number, freeze: Freeze | null) {
  const { cause = null, since = null, withdraws = false, charges = false } = freeze ?? {};
  return {
    companyId,
    frozen: freeze !== null,
    withdraws,
    charges,
    since: isoTimeOrNull(since),
    reason: cause?.reason ?? null,
    by: cause?.by ?? null,
  };
}

type AuditedFields = Pick<
  CompanyRecord,
  "name" | "mode" | "bankDocument" | "mainPixKey" | "mainPixKeyType"
>;

/** A company's fields for the audit trail, with personal data masked. */
export function auditedCompany(company: AuditedFields) {
  const { name, mode, bankDocument, mainPixKey, mainPixKeyType } = company;
  return {
    name,
    mode,
    document: maskDocument(bankDocument),
    pixKey:
      mainPixKey === null || mainPixKeyType === null
        ? null
        : maskPixKey({ type: mainPixKeyType, value: mainPixKey }),
  };
}
