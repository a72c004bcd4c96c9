import { z } from "@hono/zod-openapi";
import { callCompany } from "../../../../company-client/stub.ts";
import { changeCompany, findCompanyRecord } from "../../../../db/companies/company-records.ts";
import { maskPixKey } from "../../../../domain/access/masks.ts";
import { parsePixKey, PIX_KEY_TYPES, type PixKey } from "../../../../domain/shared/pix-key.ts";
import { Problem } from "../../../../domain/shared/problem.ts";
import { text, TEXT_MAX } from "../../../../http/fields/fields.ts";
import { invalidState, notFound } from "../../../../http/problems.ts";
import { updateCredentials } from "../../../settings/update-credentials.ts";
import { copyFreeze } from "../../audit/service.ts";
import {
  bookDecision,
  NOT_ASKED,
  parseRequest,
  requireOwnTarget,
  type ActionDefinition,
  type ProposalContext,
} from "../action.ts";
import { breaks } from "../../../../lib/fields/rules.ts";

const PixKeyChange = z.object({
  pixKey: text(TEXT_MAX).nullable(),
  pixKeyType: z.enum(PIX_KEY_TYPES).nullish(),
});

const Unfreeze = z.object({});

/** Another main PIX key: withdraws without a key of their own go to it. */
export const pixKeyAction: ActionDefinition = {
  permission: "companies:write",
  auditAction: "company.change",
  prepare(context, target, request) {
    requireOwnTarget(context, target);
    const { pixKey, pixKeyType } = parseRequest(PixKeyChange, request);
    const key = pixKey === null ? null : parsedKey(pixKey, pixKeyType);
    const isMain = async () => (await requireRecord(context)).mainPixKey === (key?.value ?? null);
    return {
      request: { pixKey: key?.value ?? null, pixKeyType: key?.type ?? null },
      audited: { pixKey: key === null ? null : maskPixKey(key) },
      async check() {
        if (await isMain())
          throw invalidState("This is the company's main PIX key already", "unchanged");
      },
      ask: async () => NOT_ASKED,
      hadEffect: isMain,
      async execute() {
        const { env, deps, company } = context;
        const nowMs = deps.clock.now();
        await updateCredentials(env, company.id, () =>
          changeCompany(env, company.id, { mainPixKey: key, nowMs }),
        );
        return { changed: true };
      },
    };
  },
};

/** A freeze ends: withdraws are taken and sent again, and charges made. */
export const unfreezeAction: ActionDefinition = {
  permission: "companies:write",
  auditAction: "company.unfreeze",
  prepare(context, target, request) {
    requireOwnTarget(context, target);
    parseRequest(Unfreeze, request);
    const isFrozen = async () =>
      (await callCompany(context.env, context.company.id, (account) => account.findFreeze())) !==
      null;
    return {
      request: {},
      audited: {},
      async check() {
        if (!(await isFrozen())) throw invalidState("The company is not frozen", "unchanged");
      },
      ask: async () => NOT_ASKED,
      async execute(by) {
        await bookDecision(context, { kind: "unfreeze" }, by);
        return { frozen: (await copyFreeze(context.env, context.company.id)) !== null };
      },
    };
  },
};

function parsedKey(pixKey: string, type: PixKey["type"] | null | undefined): PixKey {
  const parsed = parsePixKey(pixKey, type ?? undefined);
  if (parsed.kind === "valid") return parsed.key;
  throw new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: request.pixKey.",
    errors: { "request.pixKey": [breaks("pixKeyOfItsType")] },
  });
}

async function requireRecord({ env, company }: ProposalContext) {
  const found = await findCompanyRecord(env, company.id);
  if (found === null) throw notFound("company");
  return found;
}
