import { inAccount, type TestCompany } from "../../builders/companies/company.ts";
import type { Charge } from "../../builders/operations/object-operations.ts";

export interface OperationRow {
  id: number;
  kind: string;
  status: string;
  amount: number;
  operationId: string;
}

/** Every operation of a company, oldest first. */
export function operationsOf(company: TestCompany): Promise<OperationRow[]> {
  return inAccount(company.id, (_, state) =>
    state.storage.sql
      .exec<OperationRow & Record<string, SqlStorageValue>>(
        `SELECT id, kind, status, amount, operation_id AS operationId FROM operations ORDER BY id`,
      )
      .toArray(),
  );
}

export interface ReleaseRow {
  installment: number;
  amount: number;
  dueAt: number;
}

/** A transaction's unreleased credits. */
export function releasesOf(company: TestCompany, transaction: Charge): Promise<ReleaseRow[]> {
  return inAccount(company.id, (_, state) =>
    state.storage.sql
      .exec<ReleaseRow & Record<string, SqlStorageValue>>(
        `SELECT installment, amount, due_at AS dueAt FROM releases WHERE transaction_id = ?
         ORDER BY installment`,
        transaction.id,
      )
      .toArray(),
  );
}
