import { etag } from "hono/etag";
import { getDisputeDossier } from "../../../../api/disputes/dossier/routes.ts";
import {
  getDispute,
  listDisputes,
  submitDisputeEvidence,
} from "../../../../api/disputes/routes.ts";
import { DISPUTE_STATUS_WORDS } from "../../../../domain/disputes/dispute.ts";
import { callRoute, callRouteForFile } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshForPersonalData } from "../../people/require-second-factor.ts";
import { fragment, page } from "../../ui/layout.tsx";
import { NextPage } from "../../ui/parts.tsx";
import { download, formOf, keyOf, may, refusalPage } from "../answers.tsx";
import { disputeBankRoutes } from "./bank-routes.tsx";
import { detailPage, headOf, nowOf } from "./detail-page.tsx";
import { disputePath, DISPUTES_PATH } from "./dispute.ts";
import { evidenceBody } from "./evidence.ts";
import { evidenceFileRoutes } from "./file-routes.ts";
import { DisputeList, Tabs } from "./list.tsx";

/** Disputes: what payers' banks ask back, and what the merchant says to it. */
export function disputesScreen(app: ConsoleApp): void {
  app.get("/disputes", requireMember, requirePermission("transactions:read"), etag(), (c) =>
    showDisputes(c),
  );
  app.get("/disputes/:id", requireMember, requirePermission("transactions:read"), async (c) => {
    const found = await callRoute(c, getDispute, { params: { id: c.req.param("id") } });
    if (!found.ok) return refusalPage(c, headOf(c), found);
    return detailPage(c, found.body.data, { done: c.req.query("done") });
  });
  app.get(
    "/disputes/:id/:file{dossier\\.(?:pdf|json)}",
    requireMember,
    requirePermission("transactions:read"),
    requireFreshForPersonalData,
    async (c) => {
      const type = c.req.param("file") === "dossier.pdf" ? "application/pdf" : "application/json";
      const params = { id: c.req.param("id") };
      const answer = await callRouteForFile(c, getDisputeDossier, type, { params });
      if (!answer.ok) return refusalPage(c, headOf(c), answer);
      const name = c.req.param("file").replace("dossier", "dossie");
      return download(answer, { type, name });
    },
  );
  app.get("/disputes/:id/evidence", requireMember, requirePermission("transactions:read"), (c) =>
    c.redirect(disputePath(c.req.param("id"))),
  );
  app.post("/disputes/:id/evidence", requireMember, requirePermission("disputes:write"), (c) =>
    sendEvidence(c),
  );
  evidenceFileRoutes(app);
  disputeBankRoutes(app);
}

async function showDisputes(c: ConsoleContext) {
  const asked = c.req.query("status");
  const status = DISPUTE_STATUS_WORDS.find((word) => word === asked) ?? "open";
  const after = c.req.query("after");
  const answer = await callRoute(c, listDisputes, { query: { status, limit: 50, after } });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const paged = after === undefined ? {} : { after };
  const query = new URLSearchParams({ status, ...paged, fragment: "1" });
  const list = (
    <DisputeList
      items={answer.body.items}
      status={status}
      refresh={`${DISPUTES_PATH}?${query.toString()}`}
      now={nowOf(c)}
    />
  );
  if (c.req.query("fragment") === "1") return fragment(c, list);
  return page(
    c,
    headOf(c),
    <>
      <Tabs status={status} />
      {list}
      <NextPage url={c.req.url} list={answer.body} />
    </>,
  );
}

async function sendEvidence(c: ConsoleContext) {
  const id = c.req.param("id") ?? "";
  const form = await formOf(c);
  const known = await callRoute(c, getDispute, { params: { id } });
  if (!known.ok) return refusalPage(c, headOf(c), known);
  const dispute = known.body.data;
  const answer = await callRoute(c, submitDisputeEvidence, {
    params: { id },
    json: evidenceBody(form, dispute, may(c, "pii:read")),
    ...keyOf(form),
  });
  if (answer.ok) return c.redirect(`${disputePath(id)}?done=evidence`, 303);
  return detailPage(c, dispute, { refused: { form, problem: answer.body, status: answer.status } });
}
