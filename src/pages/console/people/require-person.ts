import { createMiddleware } from "hono/factory";
import { personOfRequest } from "../../../http/auth/person-requests.ts";
import type { ConsoleEnv } from "../context.ts";

/** Admits a signed-in person and sets `person` and `session`; leads everybody else to the sign-in. */
export const requirePerson = createMiddleware<ConsoleEnv>(async (c, next) => {
  const person = personOfRequest(c.env.outer.req.raw);
  if (person === undefined) return c.redirect("/console/sign-in");
  c.set("person", person);
  await next();
});
