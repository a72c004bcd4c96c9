import { LOCAL_APPROVER, LOCAL_COMPANIES } from "../../../tools/lib/local-companies.ts";
import { LOCAL_APPROVER_KEY, LOCAL_OPERATOR_KEY } from "../../../tools/lib/local-operators.ts";
import { ApiClient, Merchant } from "../../../tools/lib/merchant.ts";
import { assertDefined } from "./required.ts";

/** Who sends a request: a company, its second application, which approves, or one of two operators. */
export type Actor = "company" | "approver" | "operator" | "second_operator";

/** The company that has a second application. */
export const APPROVED_COMPANY = 1;
/** The operator who approves what the other one proposes. */
export const APPROVING_OPERATOR = "approver";

/** The clients of a running service. */
export interface Callers {
  merchants: Merchant[];
  others: Record<Exclude<Actor, "company">, ApiClient>;
}

/** The clients of the service at an address. */
export function callersAt(base: string): Callers {
  const operator = (clientId: string, apiKey: string) => new ApiClient(base, { clientId, apiKey });
  return {
    merchants: LOCAL_COMPANIES.map((_, index) => new Merchant(base, index + 1)),
    others: {
      approver: new ApiClient(base, LOCAL_APPROVER),
      operator: operator("operator", LOCAL_OPERATOR_KEY),
      second_operator: operator(APPROVING_OPERATOR, LOCAL_APPROVER_KEY),
    },
  };
}

/** The client that sends a company's request. */
export function callerOf(
  { merchants, others }: Callers,
  { by, companyId }: { by: Actor; companyId: number },
): ApiClient {
  return by === "company" ? assertDefined(merchants[companyId - 1], "a merchant") : others[by];
}
