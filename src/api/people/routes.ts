import { jsonBytes, SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import type { Api } from "../../http/api.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { jsonBody } from "../../http/body.ts";
import { optionalIdempotencyKey, REPLAYED_HEADER } from "../../http/idempotency.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { takeQuota, takeReservedQuota } from "../settings/take-quota.ts";
import {
  ChangePerson,
  InvitationParam,
  InvitePerson,
  MadeInvitation,
  OneInvitation,
  OneMember,
  People,
  PersonParam,
} from "./schemas.ts";
import { routesOf } from "../../http/openapi/route.ts";
import {
  changeRole,
  findReplayedInvitation,
  invitePerson,
  removeMember,
  revokeOpenInvitation,
  showPeople,
} from "./service.ts";

const route = routesOf("People");
const PATH = "/api/v1/people";

const list = route.get(PATH, {
  operationId: "listPeople",
  summary: "List the company's people and open invitations",
  description: "Those who may open the company in the console, the first to join first.",
  guard: requireScope("people:write"),
  answers: { 200: jsonResponse("All of them", People) },
});

const invite = route.post(`${PATH}/invitations`, {
  operationId: "invitePerson",
  summary: "Invite a person",
  description:
    "The link works once, and ends after 7 days. It admits the e-mail only; a new one ends the e-mail's earlier " +
    "ones. A repeated `Idempotency-Key` answers the same invitation with its link, and makes no second; without a " +
    "key the link is shown once. 403 for an owner, unless an owner asks, and for a role with more than the " +
    "application that asks. At most 50 open invitations (409).",
  guard: requireScope("people:write"),
  body: jsonBody(InvitePerson),
  idempotencyKey: optionalIdempotencyKey("invite_maria"),
  answers: { 201: jsonResponse("The invitation, with its link", MadeInvitation) },
  problems: ["INVALID_STATE", "QUOTA_EXCEEDED"],
});

const revoke = route.delete(`${PATH}/invitations/{id}`, {
  operationId: "revokeInvitation",
  summary: "Revoke an open invitation",
  guard: requireScope("people:write"),
  params: InvitationParam,
  answers: { 200: jsonResponse("The invitation as it was", OneInvitation) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND", "QUOTA_EXCEEDED"],
});

const change = route.patch(`${PATH}/{id}`, {
  operationId: "changePerson",
  summary: "Change a person's role",
  description:
    "From the person's next request on. 403 for an owner, unless an owner asks, for whoever raises his own role, " +
    "and for a role with more than the application that asks. 409 for the last owner. The company's open " +
    "invitations end when the person does not manage people any more.",
  guard: requireScope("people:write"),
  params: PersonParam,
  body: jsonBody(ChangePerson),
  answers: { 200: jsonResponse("The person", OneMember) },
  problems: ["NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED"],
});

const remove = route.delete(`${PATH}/{id}`, {
  operationId: "deletePerson",
  summary: "Remove a person from the company",
  description:
    "From the person's next request on. 403 for an owner, unless an owner asks. 409 for the last owner. With a " +
    "person who manages people the company's open invitations end: he may know their links.",
  guard: requireScope("people:write"),
  params: PersonParam,
  answers: { 200: jsonResponse("The person as he was", OneMember) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED"],
});

export {
  list as listPeople,
  invite as invitePerson,
  revoke as revokeInvitation,
  change as changePerson,
  remove as deletePerson,
};

/** A company's routes for the people who open it in the console. */
export function companyPeopleRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    const now = c.get("deps").platformClock.now();
    return c.json(await showPeople(c.env, c.get("caller").company.id, now), 200);
  });

  app.openapi(invite, async (c) => {
    const request = c.req.valid("json");
    const idempotencyKey = c.get("idempotencyKey");
    c.header("Cache-Control", "no-store");
    const replayed = await findReplayedInvitation(c, request, idempotencyKey);
    if (replayed !== null) {
      c.header(REPLAYED_HEADER, "true");
      return c.json({ data: replayed }, 201);
    }
    await takeQuota(c, SMALL_WRITE_BYTES + jsonBytes(request));
    return c.json({ data: await invitePerson(c, request, idempotencyKey) }, 201);
  });

  app.openapi(revoke, async (c) => {
    await takeReservedQuota(c);
    return c.json({ data: await revokeOpenInvitation(c, c.req.valid("param").id) }, 200);
  });

  app.openapi(change, async (c) => {
    await takeQuota(c, SMALL_WRITE_BYTES);
    const data = await changeRole(c, c.req.valid("param").id, c.req.valid("json").role);
    return c.json({ data }, 200);
  });

  app.openapi(remove, async (c) => {
    await takeReservedQuota(c);
    return c.json({ data: await removeMember(c, c.req.valid("param").id) }, 200);
  });
}
