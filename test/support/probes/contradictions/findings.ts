import { compose } from "../../../../src/company/compose.ts";
import { inAccount, type TestCompany } from "../../builders/companies/company.ts";

/** What a company's object keeps for a person to decide, oldest first. */
export function findingsOf(company: TestCompany) {
  return inAccount(company.id, (_, { storage }) => {
    const { contradictions } = compose(storage.sql).stores;
    return storage.sql
      .exec<{ number: number }>("SELECT number FROM contradictions ORDER BY number")
      .toArray()
      .flatMap(({ number }) => contradictions.find(number) ?? [])
      .map(({ finding, kind, object, amount, held, status }) => ({
        finding,
        kind,
        object,
        amount,
        held,
        status,
      }));
  });
}

/** What of them is held back from withdraws, in centavos. */
export function heldTotalOf(company: TestCompany): Promise<number> {
  return inAccount(company.id, (_, { storage }) =>
    compose(storage.sql).stores.contradictions.heldTotal(),
  );
}
