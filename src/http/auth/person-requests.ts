import type { Person } from "../../domain/access/person.ts";

/** Requests that the console makes for a signed-in person. No header can put one here. */
const personRequests = new WeakMap<Request, Person>();

/** Marks a request as made by the console for a person. */
export function requestAs(person: Person, request: Request): Request {
  personRequests.set(request, person);
  return request;
}

/** The person a request is made for; undefined for a request from outside. */
export function personOfRequest(request: Request): Person | undefined {
  return personRequests.get(request);
}
