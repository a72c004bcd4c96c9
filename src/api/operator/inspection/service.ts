import { callCompany } from "../../../company-client/stub.ts";
import type { ProjectionDiff } from "../../../db/projection/diff.ts";
import { diffProjection } from "../../../db/projection/projection-diff.ts";
import { companyRows, transactionRows, withdrawRows } from "../../../db/operator/inspection.ts";
import type { Inspection, Mismatch, RowsByTable } from "../../../domain/shared/inspection.ts";
import type { Env } from "../../../config.ts";
import { fetchSnapshot } from "../audit/service.ts";

/** The transaction or withdraw to inspect; without either the company. */
export interface InspectRequest {
  transactionId?: string | undefined;
  withdrawId?: number | undefined;
}

/** The rows of D1 and of the company's object, and the fields that differ. Null if both have none. */
export async function inspect(
  env: Env,
  companyId: number,
  { transactionId, withdrawId }: InspectRequest,
): Promise<Inspection | null> {
  if (transactionId !== undefined) return inspectTransaction(env, companyId, transactionId);
  if (withdrawId !== undefined) return inspectWithdraw(env, companyId, withdrawId);
  const [database, object] = await Promise.all([
    companyRows(env, companyId),
    callCompany(env, companyId, (account) => account.inspect({ of: "company" })),
  ]);
  return { companyId, database, object, differences: [] };
}

async function inspectTransaction(
  env: Env,
  companyId: number,
  transactionId: string,
): Promise<Inspection | null> {
  const [database, object, snapshot] = await Promise.all([
    transactionRows(env, companyId, transactionId),
    callCompany(env, companyId, (account) => account.inspect({ of: "transaction", transactionId })),
    fetchSnapshot(env, companyId, { transactionIds: [transactionId], withdrawIds: [] }),
  ]);
  const { charges } = await diffProjection(env, companyId, snapshot);
  return nullIfEmpty({ companyId, database, object, differences: mismatchesOf(charges) });
}

async function inspectWithdraw(
  env: Env,
  companyId: number,
  withdrawId: number,
): Promise<Inspection | null> {
  const [database, object, snapshot] = await Promise.all([
    withdrawRows(env, companyId, withdrawId),
    callCompany(env, companyId, (account) => account.inspect({ of: "withdraw", withdrawId })),
    fetchSnapshot(env, companyId, { transactionIds: [], withdrawIds: [withdrawId] }),
  ]);
  const { withdraws } = await diffProjection(env, companyId, snapshot);
  return nullIfEmpty({ companyId, database, object, differences: mismatchesOf(withdraws) });
}

/** A missing projection is one mismatch, of the row. */
function mismatchesOf(differences: ProjectionDiff<unknown>[]): Mismatch[] {
  return differences.flatMap(({ projectedVersion, mismatches }) =>
    projectedVersion === null ? [{ field: "row", here: null, there: "it is there" }] : mismatches,
  );
}

function nullIfEmpty(inspection: Inspection): Inspection | null {
  return isEmpty(inspection.database) && isEmpty(inspection.object) ? null : inspection;
}

function isEmpty(rows: RowsByTable): boolean {
  return Object.values(rows).every((each) => each.length === 0);
}
