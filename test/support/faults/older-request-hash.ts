import { canonicalJson, sha256Hex } from "../../../src/lib/hash.ts";
import { env, inAccount, type TestCompany } from "../builders/companies/company.ts";

/** Stores a company's transactions as the version that hashed a request's defaults with the rest did. */
export async function withOlderCreateHash(company: TestCompany, sent: object): Promise<void> {
  await env.DB.prepare("UPDATE transactions SET request_hash = ? WHERE company_id = ?")
    .bind(await sha256Hex(canonicalJson(sent)), company.id)
    .run();
}

/** The same for a company's withdraws. */
export async function withOlderWithdrawHash(company: TestCompany, sent: object): Promise<void> {
  const hash = await sha256Hex(canonicalJson(sent));
  await inAccount(company.id, (_account, state) => {
    state.storage.sql.exec("UPDATE withdraws SET request_hash = ?", hash);
  });
}
