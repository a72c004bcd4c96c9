import type { Company } from "../../../domain/shared/company.ts";
import type { ProblemDetails } from "../../../domain/shared/problem.ts";
import { methodOf } from "../../../methods/registry.ts";
import type { Provider } from "../../../providers/provider.ts";
import type { TransactionDraft } from "../../transactions/claim/repository.ts";
import { orderOf } from "../../transactions/register-charge.ts";
import type { CreateTransactionRequest } from "../../transactions/schemas.ts";

/**
 * Why an account cannot carry a charge out as it is; null where it can. `savedCard`: what its house gave for the card; null
 * where none is charged.
 */
export function chargeFaults(
  company: Company,
  provider: Provider,
  {
    request,
    draft,
    savedCard = null,
  }: { request: CreateTransactionRequest; draft: TransactionDraft; savedCard?: string | null },
): ProblemDetails | null {
  const method = methodOf(request.paymentMethod);
  const problem = method.requestProblem(request, company.mode);
  if (problem !== null) return problem;
  const order =
    method.initiation === "push" ? method.order(draft) : method.order(draft, request, savedCard);
  const errors = provider.orderFaults(orderOf(company, draft, order));
  if (Object.keys(errors).length === 0) return null;
  return {
    code: "NOT_SUPPORTED_BY_PROVIDER",
    detail: `The account that takes a ${request.paymentMethod} cannot carry it out for this subscription.`,
    errors,
  };
}
