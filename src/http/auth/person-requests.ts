import type { MiddlewareHandler } from "hono";
import type { OperatorPerson } from "../../domain/operators/operator.ts";
import type { Person } from "../../domain/access/person.ts";
import type { AppEnv } from "../context.ts";

/** Requests that the console makes for a signed-in person. No header can put one here. */
const personRequests = new WeakMap<Request, Person>();
const operatorRequests = new WeakMap<Request, OperatorPerson>();
/** The request for a page, by each request that the page makes in this process. */
const pageRequests = new WeakMap<Request, Request>();

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

/** Marks a request as made while `page` is answered, for the one person or operator whom the page is for. */
export function requestWithin(page: Request, request: Request): Request {
  pageRequests.set(request, page);
  return request;
}

/** The page's request within which a request is made; undefined for a request from outside. */
export function pageOfRequest(request: Request): Request | undefined {
  return pageRequests.get(request);
}

/**
 * Leaves out, for a request within a page's, what concerns the way from outside: the page's own request has passed it,
 * and has it in its answer.
 */
export function fromOutside(middleware: MiddlewareHandler<AppEnv>): MiddlewareHandler<AppEnv> {
  return (c, next) => (pageOfRequest(c.req.raw) === undefined ? middleware(c, next) : next());
}
