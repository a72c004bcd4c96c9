import {
  addDisputeFile,
  getDisputeFile,
  deleteDisputeFile,
} from "../../../../api/disputes/files/routes.ts";
import { getDispute } from "../../../../api/disputes/routes.ts";
import {
  EVIDENCE_FILE_NAME_MAX,
  evidenceFileType,
  EVIDENCE_FILE_TYPES,
} from "../../../../domain/disputes/evidence-file.ts";
import { callRoute, callRouteForFile } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import type { RouteRefusal } from "../../../../http/openapi/route-types.ts";
import { refusalPage } from "../answers.tsx";
import { detailPage, headOf } from "./detail-page.tsx";
import { disputePath, type Dispute } from "./dispute.ts";

const FILES = "/disputes/:id/files";

/** The files of a dispute's evidence: sent, downloaded and taken out again. */
export function evidenceFileRoutes(app: ConsoleApp): void {
  app.post(FILES, requireMember, requirePermission("disputes:write"), (c) => addFile(c));
  app.post(`${FILES}/:fileId/remove`, requireMember, requirePermission("disputes:write"), (c) =>
    removeFile(c, { id: c.req.param("id"), fileId: c.req.param("fileId") }),
  );
  // Asked for after the language was changed on the answer of a form.
  app.get(FILES, requireMember, requirePermission("transactions:read"), (c) =>
    c.redirect(disputePath(c.req.param("id"))),
  );
  app.get(
    `${FILES}/:fileId`,
    requireMember,
    requirePermission("pii:read"),
    requireFreshSecondFactor,
    (c) => downloadFile(c, { id: c.req.param("id"), fileId: c.req.param("fileId") }),
  );
}

async function addFile(c: ConsoleContext): Promise<Response> {
  const params = { id: c.req.param("id") ?? "" };
  const { file } = await c.req.parseBody();
  const known = await callRoute(c, getDispute, { params });
  if (!known.ok) return refusalPage(c, headOf(c), known);
  const dispute = known.body.data;
  if (!(file instanceof File) || file.size === 0) {
    return detailPage(c, dispute, { isFileMissing: true });
  }
  const content = new Uint8Array(await file.arrayBuffer());
  const [anyType] = EVIDENCE_FILE_TYPES;
  const answer = await callRoute(c, addDisputeFile, {
    params,
    query: { name: file.name.slice(-EVIDENCE_FILE_NAME_MAX) },
    text: { type: evidenceFileType(content) ?? anyType!, text: content },
  });
  return shown(c, dispute, answer, "file");
}

async function removeFile(
  c: ConsoleContext,
  params: { id: string; fileId: string },
): Promise<Response> {
  const known = await callRoute(c, getDispute, { params });
  if (!known.ok) return refusalPage(c, headOf(c), known);
  const answer = await callRoute(c, deleteDisputeFile, { params });
  return shown(c, known.body.data, answer, "fileRemoved");
}

async function downloadFile(
  c: ConsoleContext,
  params: { id: string; fileId: string },
): Promise<Response> {
  const known = await callRoute(c, getDispute, { params });
  if (!known.ok) return refusalPage(c, headOf(c), known);
  const file = known.body.data.evidence?.files.find(({ id }) => id === params.fileId);
  if (file === undefined) return c.notFound();
  const answer = await callRouteForFile(c, getDisputeFile, file.type, { params });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return new Response(answer.body, { headers: answer.headers });
}

function shown(
  c: ConsoleContext,
  dispute: Dispute,
  answer: { ok: true } | RouteRefusal,
  done: string,
): Response | Promise<Response> {
  if (answer.ok) return c.redirect(`${disputePath(dispute.id)}?done=${done}`, 303);
  return detailPage(c, dispute, { refused: { problem: answer.body, status: answer.status } });
}
