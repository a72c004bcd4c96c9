import { compose } from "../../../../src/company/compose.ts";
import { inAccount, type TestCompany } from "../../builders/companies/company.ts";

/** A company's contradictions, oldest first. */
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

/** The held amount of all contradictions, in centavos. */
export function heldTotalOf(company: TestCompany): Promise<number> {
  return inAccount(company.id, (_, { storage }) =>
    compose(storage.sql).stores.contradictions.heldTotal(),
  );
}
