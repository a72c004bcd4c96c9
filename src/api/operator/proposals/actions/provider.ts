import { configOf } from "../../../../config.ts";
import { listAccounts } from "../../../../db/companies/psp-accounts.ts";
import { pixApiAccount } from "../../../../domain/psp/psp-account.ts";
import { pixApiProposalContext, type PixApiSettings } from "../../../../domain/psp/psp-settings.ts";
import { parsePixKey } from "../../../../domain/shared/pix-key.ts";
import { pspFieldIssues } from "../../../../http/fields/psp-fields.ts";
import { invalidState } from "../../../../http/problems.ts";
import { assert } from "../../../../lib/assert.ts";
import { canonicalJson } from "../../../../lib/hash.ts";
import { seal, unseal } from "../../../../lib/secret-box.ts";
import { auditedSettings } from "../../pix-api/audit.ts";
import { PixApiBody, type PixApiRequest } from "../../pix-api/schemas.ts";
import { configurePixApi, takesTwoOperators } from "../../pix-api/service.ts";
import { ACCOUNT_NAME } from "../../provider-accounts/schemas.ts";
import { prepareAccount } from "./account.ts";
import {
  NOT_ASKED,
  parseRequest,
  requestProblem,
  requireOwnTarget,
  targetId,
  type ActionDefinition,
  type ProposalContext,
} from "../action.ts";
import { breaks } from "../../../../lib/fields/rules.ts";

const MISSING_ORIGIN = {
  code: "custom" as const,
  path: ["callbackOrigin"],
  message: breaks("required"),
  input: undefined,
};

/** A connection as a proposal stores it: all but the secret in plain text. */
interface StoredConnection {
  fields: Record<string, unknown>;
  /** The client secret, sealed for the company and these fields. */
  sealedSecret: string;
}

/** Another connection to the PSP, or another account at one: charges are paid and payouts leave there, and its reports are believed. */
export const providerAction: ActionDefinition = {
  permission: "companies:write",
  auditAction: "provider.connect",
  async prepare(context, target, request) {
    if (target.startsWith("provider:")) {
      return prepareAccount(context, targetId(target, "provider", ACCOUNT_NAME), request);
    }
    requireOwnTarget(context, target);
    const connection = await readConnection(context, request);
    const { callbackOrigin } = connection;
    const stored = await storedConnection(context, connection, request);
    return {
      request: { ...stored.fields, sealedSecret: stored.sealedSecret },
      audited: auditedSettings(connection),
      isSameAs: async (other) => {
        const { sealedSecret, fields } = partsOf(other);
        if (canonicalJson(fields) !== canonicalJson(stored.fields)) return false;
        return (await openSecret(context, fields, sealedSecret)) === connection.clientSecret;
      },
      async check() {
        if (context.company.mode !== "live")
          throw invalidState("A sandbox company cannot have a PSP", "sandbox_company");
        if (await takesTwoOperators(context, connection)) return;
        throw invalidState(
          "This connection leads where the company's does. Configure it directly",
          "unchanged",
        );
      },
      ask: async () => NOT_ASKED,
      hadEffect: async () => !(await takesTwoOperators(context, connection)),
      async execute() {
        const change = { request: connection, origin: callbackOrigin, isApproved: true };
        const { account, webhook, webhookFault } = await configurePixApi(context, change);
        return { account, webhook, webhookFault };
      },
    };
  },
};

type Connection = PixApiRequest & Pick<PixApiSettings, "callbackOrigin">;

/** A connection as the route takes it, or as a proposal has it. Throws 400, and 409 for a secret that no key opens. */
async function readConnection(context: ProposalContext, request: unknown): Promise<Connection> {
  const { fields, sealedSecret } = partsOf(request);
  const clientSecret =
    sealedSecret === null ? {} : { clientSecret: await openSecret(context, fields, sealedSecret) };
  const connection = parseRequest(PixApiBody, { ...fields, ...clientSecret });
  const lastOrigin = await findLastOrigin(context);
  const { callbackOrigin = lastOrigin, ...others } = connection;
  // The service's own origin is no field of an operator's.
  const isKept = callbackOrigin === lastOrigin;
  const issues = pspFieldIssues(context.env, isKept ? others : { ...others, callbackOrigin });
  if (callbackOrigin === null) issues.push(MISSING_ORIGIN);
  if (callbackOrigin === null || issues.length > 0) throw requestProblem(issues);
  return { ...others, callbackOrigin };
}

/** The origin that the company's PSP calls back, or called back last; null if there was none. */
async function findLastOrigin({ env, company }: ProposalContext): Promise<string | null> {
  const last = pixApiAccount(await listAccounts(env, company.id));
  return last?.settings.callbackOrigin ?? null;
}

async function storedConnection(
  context: ProposalContext,
  { clientSecret, reason: _reason, pixKeyType, ...connection }: Connection,
  request: unknown,
): Promise<StoredConnection> {
  const key = parsePixKey(connection.pixKey, pixKeyType);
  assert(key.kind === "valid", "validation has checked the key");
  const fields = { ...connection, pixKey: key.key.value, pixKeyType: key.key.type };
  const sealedSecret =
    partsOf(request).sealedSecret ??
    (await seal(configOf(context.env).secretsKeys, clientSecret, contextOf(context, fields)));
  return { fields, sealedSecret };
}

/** The client secret of a stored connection; null where it names none. Throws 409 if no key opens it. */
async function openSecret(
  context: ProposalContext,
  fields: Record<string, unknown>,
  sealedSecret: string | null,
): Promise<string | null> {
  if (sealedSecret === null) return null;
  try {
    return await unseal(
      configOf(context.env).secretsKeys,
      sealedSecret,
      contextOf(context, fields),
    );
  } catch {
    throw invalidState(
      "SECRETS_KEY does not open the proposal's secret. Refuse the proposal and propose it again",
      "secret_unreadable",
    );
  }
}

function contextOf({ company }: ProposalContext, fields: Record<string, unknown>): string {
  return pixApiProposalContext(company.providerCompanyId, canonicalJson(fields));
}

function partsOf(request: unknown): {
  fields: Record<string, unknown>;
  sealedSecret: string | null;
} {
  const { sealedSecret, ...fields } = { ...(request as Record<string, unknown>) };
  return { fields, sealedSecret: typeof sealedSecret === "string" ? sealedSecret : null };
}
