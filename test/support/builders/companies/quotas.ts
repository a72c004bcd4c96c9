import { QUOTAS, type Quota } from "../../../../src/domain/storage/quotas.ts";
import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { env, inAccount, type TestCompany } from "./company.ts";

/** The columns of the newest charge with the sums of its day. */
const DAY_COLUMNS = { chargesPerDay: "day_charges", chargeBytesPerDay: "day_bytes" } as const;

/** Leaves a company that has created a charge so much of a quota for charges. */
export async function leaveOfChargeQuota(
  company: TestCompany,
  quota: keyof typeof DAY_COLUMNS,
  rest: number,
): Promise<void> {
  await env.DB.prepare(
    `UPDATE transactions SET ${DAY_COLUMNS[quota]} = ?2 WHERE company_id = ?1
     AND seq = (SELECT max(seq) FROM transactions WHERE company_id = ?1)`,
  )
    .bind(company.id, QUOTAS[quota] - rest)
    .run();
}

/** The columns of the object with what the company has used today. */
const OBJECT_COLUMNS = {
  eventsPerDay: "usage_events = ?",
  eventBytesPerDay: "usage_bytes = ?",
  objectBytesPerDay: "usage_object_bytes = -?",
} as const;

/** Uses up a quota of the company's object for today. */
export async function useUpObjectQuota(
  company: TestCompany,
  quota: keyof typeof OBJECT_COLUMNS & Quota,
  nowMs = Date.now(),
): Promise<void> {
  await inAccount(company.id, (_, { storage }) => {
    storage.sql.exec(
      `UPDATE company SET company_id = ?, usage_day = ?, ${OBJECT_COLUMNS[quota]}`,
      company.id,
      saoPauloDay(nowMs),
      QUOTAS[quota],
    );
  });
}
