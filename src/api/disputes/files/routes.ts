import { createRoute, z } from "@hono/zod-openapi";
import type { DisputeRecord } from "../../../domain/disputes/dispute.ts";
import {
  EVIDENCE_FILE_MAX_BYTES,
  EVIDENCE_FILE_NAME_MAX,
  EVIDENCE_FILES_MAX,
  EVIDENCE_FILES_MAX_BYTES,
  evidenceFileName,
} from "../../../domain/disputes/evidence-file.ts";
import type { EvidenceChange } from "../../../domain/disputes/evidence.ts";
import { SMALL_WRITE_BYTES } from "../../../domain/storage/quotas.ts";
import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireFurtherScopes, requireScope } from "../../../http/auth/auth.ts";
import { writeOptimistically } from "../../../http/auth/optimistic-auth.ts";
import { evidenceFileBody } from "../../../http/body.ts";
import { companyDeps, type AppContext } from "../../../http/context.ts";
import { text } from "../../../http/fields/fields.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import { takeQuota } from "../../settings/take-quota.ts";
import { DisputeEnvelope } from "../schemas.ts";
import { requireDispute, requireKnownDispute, submitEvidence, shownDispute } from "../service.ts";
import { contentOfFile, discard, keepEvidenceFile, newEvidenceFile } from "./service.ts";

const route = routesOf("Disputes");
const MEGABYTES = (bytes: number) => bytes / 1_024 / 1_024;

const id = z.string().openapi({ example: "E00000000202611211201a1b2c3d4e5f:D1" });
const fileParams = z.object({ id, fileId: z.string() });
const BINARY = { schema: z.string().openapi({ format: "binary" }) };
const CONTENT = {
  "application/pdf": BINARY,
  "image/jpeg": BINARY,
  "image/png": BINARY,
};

const declaredAdd = route.post("/api/v1/disputes/{id}/evidence/files", {
  operationId: "addDisputeFile",
  summary: "Add a file to the evidence against a dispute",
  description:
    "The body is the file: a PDF, JPEG or PNG by its content, whatever its name and `Content-Type` say. At most " +
    `${MEGABYTES(EVIDENCE_FILE_MAX_BYTES)} MB; of a dispute ${EVIDENCE_FILES_MAX} files and ` +
    `${MEGABYTES(EVIDENCE_FILES_MAX_BYTES)} MB in all. The same content again changes nothing. The dossier names ` +
    "each file with its SHA-256, and its PDF carries them.",
  guard: requireScope("disputes:write"),
  params: z.object({ id }),
  query: z.object({
    name: text(EVIDENCE_FILE_NAME_MAX)
      .refine((name) => evidenceFileName(name) !== "", breaks("notEmpty"))
      .openapi({
        example: "nota-fiscal.pdf",
        description:
          "What people call it. One that does not end as the content's type does gets that ending.",
      }),
  }),
  checks: [evidenceFileBody],
  answers: { 200: jsonResponse("The dispute with its evidence", DisputeEnvelope) },
  problems: [
    "VALIDATION_FAILED",
    "NOT_FOUND",
    "INVALID_STATE",
    "BODY_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
    "EVIDENCE_DEADLINE_PASSED",
    "EVIDENCE_TOO_LARGE",
    "FILE_STORAGE_NOT_CONFIGURED",
    "QUOTA_EXCEEDED",
  ],
});
// `routesOf` declares JSON bodies; this one is a file, which no schema checks.
const add = createRoute({
  ...declaredAdd,
  request: { ...declaredAdd.request, body: { required: true, content: CONTENT } },
});

const read = route.get("/api/v1/disputes/{id}/evidence/files/{fileId}", {
  operationId: "getDisputeFile",
  summary: "Get a file of the evidence against a dispute",
  description: "As it was sent. `evidence.files` of the dispute has the ids.",
  guard: [requireScope("transactions:read"), requireFurtherScopes("pii:read")],
  params: fileParams,
  answers: { 200: { description: "The file", content: CONTENT } },
  problems: ["NOT_FOUND"],
});

const remove = route.delete("/api/v1/disputes/{id}/evidence/files/{fileId}", {
  operationId: "deleteDisputeFile",
  summary: "Remove a file from the evidence against a dispute",
  description:
    "While the dispute takes evidence. Its bytes are deleted. Removed again, nothing changes.",
  guard: requireScope("disputes:write"),
  params: fileParams,
  answers: { 200: jsonResponse("The dispute with its evidence", DisputeEnvelope) },
  problems: ["NOT_FOUND", "INVALID_STATE", "EVIDENCE_DEADLINE_PASSED", "QUOTA_EXCEEDED"],
});

export { add as addDisputeFile, read as getDisputeFile, remove as deleteDisputeFile };

/** The files of a dispute's evidence. */
export function disputeFileRoutes(app: Api): void {
  app.openapi(add, async (c) => {
    const { id: disputeId } = c.req.valid("param");
    const { name } = c.req.valid("query");
    const { id: companyId } = c.get("caller").company;
    await requireKnownDispute(c.env, companyId, disputeId);
    const content = new Uint8Array(await c.req.arrayBuffer());
    const file = await newEvidenceFile({ name, content }, companyDeps(c));
    const place = { companyId, disputeId, fileId: file.id };
    const dispute = await keepEvidenceFile(c.env, place, { file, content }, () =>
      changeFiles(c, disputeId, { addedFile: file }),
    );
    return c.json({ data: await viewFor(c, dispute) }, 200);
  });

  app.openapi(read, async (c) => {
    const { id: disputeId, fileId } = c.req.valid("param");
    const { id: companyId } = c.get("caller").company;
    const dispute = await requireDispute(c.env, companyId, disputeId);
    const { file, content } = await contentOfFile(c.env, { companyId, fileId }, dispute);
    return c.body(content, 200, {
      "Content-Type": file.type,
      "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      "Cache-Control": "private, no-store",
    }) as never;
  });

  app.openapi(remove, async (c) => {
    const { id: disputeId, fileId } = c.req.valid("param");
    const { id: companyId } = c.get("caller").company;
    await requireKnownDispute(c.env, companyId, disputeId);
    const dispute = await changeFiles(c, disputeId, { removedFile: fileId });
    await discard(c.env, { companyId, disputeId, fileId });
    return c.json({ data: await viewFor(c, dispute) }, 200);
  });
}

/** Changes the files of a dispute's evidence, counted and audited. */
async function changeFiles(
  c: AppContext,
  disputeId: string,
  change: Pick<EvidenceChange, "addedFile" | "removedFile">,
): Promise<DisputeRecord> {
  const { id: companyId } = c.get("caller").company;
  await takeQuota(c, SMALL_WRITE_BYTES);
  const action = {
    companyId,
    action: "dispute.evidence",
    target: `dispute:${disputeId}`,
    after: { fields: ["files"] },
  };
  const { dispute } = await audited(c, action, () =>
    writeOptimistically(c, (caller) =>
      submitEvidence(
        c.env,
        caller,
        { disputeId, change, idempotencyKey: null },
        companyDeps(c).clock.now(),
      ),
    ),
  );
  return dispute;
}

function viewFor(c: AppContext, dispute: DisputeRecord) {
  return shownDispute(c.env, c.get("caller"), dispute);
}
