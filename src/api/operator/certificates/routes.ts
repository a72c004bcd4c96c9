import type { Api } from "../../../http/api.ts";
import { isoTimeOrNull } from "../../../domain/shared/clock.ts";
import { audited } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { COMPANY, companyContext } from "../company-param.ts";
import { AccountParam, OneProviderAccount } from "../provider-accounts/schemas.ts";
import { shownAccount } from "../provider-accounts/views.ts";
import { GivenUpTrial, NamedCertificate } from "./schemas.ts";
import { certificateOwner, endOf, giveUpCertificate, nameCertificate } from "./service.ts";

const route = routesOf("Operator");
const CERTIFICATE = `${COMPANY}/providers/{account}/certificate`;

const name = route.put(CERTIFICATE, {
  operationId: "nameCertificate",
  summary: "Name the next client certificate of an account",
  description:
    "The gateway asks the PSP for a token with it each hour, beside the certificate in use, and uses it from the " +
    "third success in a row on, or from the first while the one in use fails. For a day it goes back by itself if " +
    "the new one fails and the one before works. With the binding in use it only stores when that one ends. 409 if " +
    "the account's kind has no certificate.",
  guard: requireOperator("companies:write"),
  params: AccountParam,
  body: jsonBody(NamedCertificate),
  answers: { 200: jsonResponse("The account", OneProviderAccount) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

const giveUp = route.delete(CERTIFICATE, {
  operationId: "giveUpCertificate",
  summary: "Stop trying the next client certificate of an account",
  description: "The certificate in use stays in use.",
  guard: requireOperator("companies:write"),
  params: AccountParam,
  answers: { 200: jsonResponse("It is not tried any more", GivenUpTrial) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND", "INVALID_STATE"],
});

export { name as nameCertificateRoute, giveUp as giveUpCertificateRoute };

/** An operator's routes for the client certificates of accounts. */
export function certificateRoutes(app: Api): void {
  app.openapi(name, async (c) => {
    const { companyId, account } = c.req.valid("param");
    const named = c.req.valid("json");
    const context = await companyContext(c, companyId);
    const after = { binding: named.binding, endsAt: isoTimeOrNull(endOf(named.certificate)) };
    await audited(c, { ...actionOf(companyId, account, "name"), after }, async () => {
      const owner = await certificateOwner(c.env, companyId, account);
      await nameCertificate(c.env, owner, named, c.get("deps").platformClock.now());
    });
    return c.json({ data: await shownAccount(c, context, account) }, 200);
  });

  app.openapi(giveUp, async (c) => {
    const { companyId, account } = c.req.valid("param");
    await companyContext(c, companyId);
    await audited(c, actionOf(companyId, account, "give_up"), async () =>
      giveUpCertificate(c.env, await certificateOwner(c.env, companyId, account)),
    );
    return c.json({ removed: true as const }, 200);
  });
}

function actionOf(companyId: number, account: string, verb: string) {
  return { companyId, action: `certificate.${verb}`, target: `provider:${account}` };
}
