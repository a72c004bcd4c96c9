import type { OperatorPerson } from "../../domain/operators/operator.ts";
import type { Person } from "../../domain/access/person.ts";

/** Requests that the console makes for a signed-in person. No header can put one here. */
const personRequests = new WeakMap<Request, Person>();
const operatorRequests = new WeakMap<Request, OperatorPerson>();

/** Marks a request as made by the console for a person. */
export function requestAs(person: Person, request: Request): Request {
  personRequests.set(request, person);
  return request;
}

/** The person a request is made for; undefined for a request from outside. */
export function personOfRequest(request: Request): Person | undefined {
  return personRequests.get(request);
}

/** Marks a request as made by the console for an operator. It opens no company's routes. */
export function requestAsOperator(operator: OperatorPerson, request: Request): Request {
  operatorRequests.set(request, operator);
  return request;
}

/** The operator a request is made for; undefined for a request from outside, or for a company's person. */
export function operatorOfRequest(request: Request): OperatorPerson | undefined {
  return operatorRequests.get(request);
}
