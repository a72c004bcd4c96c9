import { z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import {
  requireOperator,
  requireOperatorOrSelf,
  requireOperatorOrSetup,
} from "../../../http/auth/operator-auth.ts";
import { jsonBody, optionalJsonBody } from "../../../http/body.ts";
import { pageLimit } from "../../../http/fields/fields.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import {
  AddedOperator,
  AddOperator,
  ChangeOperator,
  IssuedOperatorKey,
  IssueOperatorKey,
  MadeSignInLink,
  MakeSignInLink,
  OneOperator,
  OneOperatorKey,
  OperatorKeys,
  Operators,
} from "./schemas.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { issuePersonKey, keysOfPerson, revokePersonKey } from "./keys.ts";
import { addPerson, changePerson, pageOfOperators, removePerson, showPerson } from "./service.ts";
import { makeSignInLink } from "./sign-in-link.ts";
import { breaks } from "../../../lib/fields/rules.ts";

const route = routesOf("Operator");
const PEOPLE = "/api/v1/operator/people";
const PERSON = `${PEOPLE}/{id}`;
const KEYS = `${PERSON}/keys`;
const ID_MAX = 64;

const PersonParam = z.object({ id: z.string().max(ID_MAX) });

const list = route.get(PEOPLE, {
  operationId: "listOperators",
  summary: "List the operators",
  guard: requireOperator("people:write"),
  query: z.object({ after: z.string().max(ID_MAX).default(""), limit: pageLimit }),
  answers: { 200: jsonResponse("One page, by id", Operators) },
  problems: ["VALIDATION_FAILED"],
});

const add = route.post(PEOPLE, {
  operationId: "addOperator",
  summary: "Add an operator",
  description:
    "Returns the first key, once. While no admin can sign in, `X-Client-Id: setup` with the environment's " +
    "`BOOTSTRAP_KEY` adds an admin. If the response is lost, remove the operator and repeat.",
  guard: requireOperatorOrSetup,
  body: jsonBody(AddOperator),
  answers: { 201: jsonResponse("The operator, with the key", AddedOperator) },
  problems: ["INVALID_STATE"],
});

const show = route.get(PERSON, {
  operationId: "getOperator",
  summary: "Show an operator",
  guard: requireOperatorOrSelf,
  params: PersonParam,
  answers: { 200: jsonResponse("The operator", OneOperator) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const change = route.patch(PERSON, {
  operationId: "changeOperator",
  summary: "Rename an operator or change the role",
  description: "409 if no admin could sign in afterwards.",
  guard: requireOperator("people:write"),
  params: PersonParam,
  body: jsonBody(ChangeOperator),
  answers: { 200: jsonResponse("The operator", OneOperator) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

const remove = route.delete(PERSON, {
  operationId: "deleteOperator",
  summary: "Remove an operator",
  description: "The keys are refused from the next request on. 409 if no admin could sign in.",
  guard: requireOperator("people:write"),
  params: PersonParam,
  answers: { 200: jsonResponse("The removed operator", OneOperator) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND", "INVALID_STATE"],
});

const listKeys = route.get(KEYS, {
  operationId: "listOperatorKeys",
  summary: "List an operator's keys",
  description: "The newest 100, newest first, without the keys themselves. Also for the operator.",
  guard: requireOperatorOrSelf,
  params: PersonParam,
  answers: { 200: jsonResponse("The keys", OperatorKeys) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const issueKey = route.post(KEYS, {
  operationId: "issueOperatorKey",
  summary: "Issue a key for an operator",
  description:
    "The operator may do this too; that key lasts no longer than those he has. The other keys expire after " +
    "`overlapHours`. 409 if two active keys do not expire at once. If the response is lost, revoke the " +
    "newest key and repeat.",
  guard: requireOperatorOrSelf,
  params: PersonParam,
  body: optionalJsonBody(IssueOperatorKey),
  answers: { 201: jsonResponse("The key", IssuedOperatorKey) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

const revokeKey = route.delete(`${KEYS}/{keyId}`, {
  operationId: "revokeOperatorKey",
  summary: "Revoke an operator's key",
  description:
    "The next request with the key is refused. Idempotent. 409 if no admin could sign in without it.",
  guard: requireOperatorOrSelf,
  params: PersonParam.extend({
    keyId: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, breaks("keyNumber"))
      .transform(Number)
      .openapi({ type: "integer", example: 2 }),
  }),
  answers: { 200: jsonResponse("The revoked key", OneOperatorKey) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND", "INVALID_STATE"],
});

const signInLink = route.post(`${PERSON}/sign-in-link`, {
  operationId: "createOperatorSignInLink",
  summary: "Make the link by which an operator sets up the console",
  description:
    "The person opens it, chooses e-mail and password or signs in, and is this operator in the console from then " +
    "on, instead of an earlier person. The link ends after 24 hours and with the next one. While no admin can " +
    "sign in, `X-Client-Id: setup` with the environment's `BOOTSTRAP_KEY` makes an admin's.",
  guard: requireOperatorOrSetup,
  params: PersonParam,
  body: optionalJsonBody(MakeSignInLink),
  answers: { 201: jsonResponse("The link", MadeSignInLink) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

export {
  list as listOperators,
  add as addOperator,
  show as getOperator,
  change as changeOperator,
  remove as deleteOperator,
  listKeys as listOperatorKeys,
  revokeKey as revokeOperatorKey,
  signInLink as createOperatorSignInLink,
};

/** The operators of the gateway, their keys and how they come to the console. */
export function peopleRoutes(app: Api): void {
  app.openapi(list, async (c) => c.json(await pageOfOperators(c.env, c.req.valid("query")), 200));

  app.openapi(add, async (c) => {
    const data = await addPerson(c, c.req.valid("json"));
    c.header("Cache-Control", "no-store");
    return c.json({ data }, 201);
  });

  app.openapi(show, async (c) =>
    c.json({ data: await showPerson(c.env, c.req.valid("param").id) }, 200),
  );

  app.openapi(change, async (c) =>
    c.json(
      {
        data: await changePerson(c, c.req.valid("param").id, c.req.valid("json")),
      },
      200,
    ),
  );

  app.openapi(remove, async (c) =>
    c.json({ data: await removePerson(c, c.req.valid("param").id) }, 200),
  );

  app.openapi(signInLink, async (c) => {
    const data = await makeSignInLink(c, c.req.valid("param").id, c.req.valid("json"));
    c.header("Cache-Control", "no-store");
    return c.json({ data }, 201);
  });

  app.openapi(listKeys, async (c) =>
    c.json(await keysOfPerson(c.env, c.req.valid("param").id), 200),
  );

  app.openapi(issueKey, async (c) => {
    const data = await issuePersonKey(c, c.req.valid("param").id, c.req.valid("json"));
    c.header("Cache-Control", "no-store");
    return c.json({ data }, 201);
  });

  app.openapi(revokeKey, async (c) => {
    const { id, keyId } = c.req.valid("param");
    return c.json({ data: await revokePersonKey(c, id, keyId) }, 200);
  });
}
