import { saveProviderExpiry } from "../../../../src/db/watch/providers.ts";
import { env, type TestCompany } from "../companies/env.ts";

/** Says when the access of a company's first account at a PSP ends, as an operator does. */
export async function givenAccess(
  company: TestCompany,
  { certificateExpiresAt }: { certificateExpiresAt: number },
): Promise<void> {
  await saveProviderExpiry(env, {
    companyId: company.id,
    account: "first",
    host: "pix.bank.example",
    certificateExpiresAt,
    credentialsExpireAt: null,
  });
}
