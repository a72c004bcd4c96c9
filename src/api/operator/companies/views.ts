import type { SuspendedPayment } from "../../../company/rpc-types.ts";
import type { listCompanies } from "../../../db/companies/companies.ts";
import { isoTime } from "../../../domain/shared/clock.ts";

type CompanyRow = Awaited<ReturnType<typeof listCompanies>>[number];

/** A company as operators see it. */
export function companyView({ id, name, mode, checkedAt, violations }: CompanyRow) {
  return {
    id,
    name,
    mode,
    checkedAt: checkedAt === null ? null : isoTime(checkedAt),
    violations: violations ?? [],
  };
}

/** A suspended payment as operators see it, without its account. */
export function suspendedPaymentView({ account: _account, ...payment }: SuspendedPayment) {
  return { ...payment, paidAt: isoTime(payment.paidAt) };
}
