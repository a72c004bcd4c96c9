import type { Requester } from "../domain/access/requester.ts";
import type { AppContext } from "./context.ts";

/** The operator of a request, as the row of what he does names him. */
export function operatorRequester(c: AppContext): Requester {
  const { clientId: id, name } = c.get("operator");
  return { kind: "operator", id, name };
}

/** The application or person of a request. */
export function callerRequester(c: AppContext): Requester {
  const { application, person } = c.get("caller");
  const { clientId: id, name } = application;
  return { kind: person === null ? "application" : "person", id, name };
}
