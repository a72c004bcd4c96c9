import { etag } from "hono/etag";
import { DISPUTE_STATUS_WORDS } from "../../../../domain/disputes/dispute.ts";
import { callApi, fetchApi, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requirePerson } from "../../people/require-person.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshForPersonalData } from "../../people/require-second-factor.ts";
import { fill, languageOf, textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { NextPage } from "../../ui/parts.tsx";
import { formOf, keyOf, may, nextKey, pageStatus, refusalPage, type Form } from "../answers.tsx";
import { takesEvidence } from "./deadline.ts";
import { DisputeDetail } from "./detail.tsx";
import { apiPath, disputePath, DISPUTES_PATH, type Dispute } from "./dispute.ts";
import { evidenceBody, evidenceForm } from "./evidence.ts";
import { DisputeList, Tabs } from "./list.tsx";

const DOSSIERS = { "dossier.pdf": "application/pdf", "dossier.json": "application/json" } as const;

/** Disputes: what payers' banks ask back, and what the merchant says to it. */
export function disputesScreen(app: ConsoleApp): void {
  app.get("/disputes", requirePerson, requirePermission("transactions:read"), etag(), (c) =>
    showDisputes(c),
  );
  app.get("/disputes/:id", requirePerson, requirePermission("transactions:read"), async (c) => {
    const found = await callApi(c, "GET", apiPath(c.req.param("id")));
    if (!found.ok) return refusalPage(c, headOf(c), found);
    return detailPage(c, found.body.data, { isDone: c.req.query("done") === "evidence" });
  });
  app.get(
    "/disputes/:id/:file{dossier\\.(?:pdf|json)}",
    requirePerson,
    requirePermission("transactions:read"),
    requireFreshForPersonalData,
    async (c) => {
      const file = c.req.param("file") as keyof typeof DOSSIERS;
      const path = `${apiPath(c.req.param("id"))}/dossier`;
      const answer = await fetchApi(c, "GET", path, { accept: DOSSIERS[file] });
      if (!answer.ok) {
        const { status, ok, headers } = answer;
        return refusalPage(c, headOf(c), { status, ok, headers, body: await answer.json() });
      }
      const name = file.replace("dossier", "dossie");
      return c.body(await answer.arrayBuffer(), 200, {
        "Content-Type": DOSSIERS[file],
        "Content-Disposition": `attachment; filename="${name}"`,
      });
    },
  );
  app.get("/disputes/:id/evidence", requirePerson, requirePermission("transactions:read"), (c) =>
    c.redirect(disputePath(c.req.param("id"))),
  );
  app.post("/disputes/:id/evidence", requirePerson, requirePermission("disputes:write"), (c) =>
    sendEvidence(c),
  );
}

async function showDisputes(c: ConsoleContext) {
  const texts = textsOf(c);
  const asked = c.req.query("status");
  const status = DISPUTE_STATUS_WORDS.find((word) => word === asked) ?? "open";
  const query = new URLSearchParams({ status, limit: "50" });
  const after = c.req.query("after");
  if (after !== undefined) query.set("after", after);
  const answer = await callApi(c, "GET", `/api/v1/disputes?${query.toString()}`);
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  query.delete("limit");
  query.set("fragment", "1");
  const list = (
    <DisputeList
      items={answer.body.items as Dispute[]}
      status={status}
      refresh={`${DISPUTES_PATH}?${query.toString()}`}
      now={nowOf(c)}
      texts={texts}
      language={languageOf(c)}
    />
  );
  if (c.req.query("fragment") === "1") return c.html(list);
  return page(
    c,
    headOf(c),
    <>
      <Tabs status={status} texts={texts} />
      {list}
      <NextPage url={c.req.url} after={answer.body.after} text={texts.shell.next} />
    </>,
  );
}

async function sendEvidence(c: ConsoleContext) {
  const id = c.req.param("id") ?? "";
  const form = await formOf(c);
  const known = await callApi(c, "GET", apiPath(id));
  if (!known.ok) return refusalPage(c, headOf(c), known);
  const dispute = known.body.data as Dispute;
  const answer = await callApi(c, "POST", `${apiPath(id)}/evidence`, {
    body: evidenceBody(form, dispute, may(c, "pii:read")),
    ...keyOf(form),
  });
  if (answer.ok) return c.redirect(`${disputePath(id)}?done=evidence`, 303);
  return detailPage(c, dispute, { refused: { form, problem: answer.body, status: answer.status } });
}

interface Shown {
  isDone?: boolean;
  refused?: { form: Form; problem: ApiProblem; status: number };
}

function detailPage(c: ConsoleContext, dispute: Dispute, { isDone = false, refused }: Shown) {
  const texts = textsOf(c);
  const now = nowOf(c);
  const seesPersonalData = may(c, "pii:read");
  const isOpen = takesEvidence(dispute, now) && may(c, "disputes:write");
  const title = fill(texts.disputes.one, { reason: texts.disputes.reasons[dispute.reason] });
  return page(
    c,
    {
      title,
      active: DISPUTES_PATH,
      status: refused === undefined ? 200 : pageStatus(refused),
    },
    <DisputeDetail
      dispute={dispute}
      form={isOpen ? (refused?.form ?? evidenceForm(dispute, seesPersonalData)) : null}
      seesPersonalData={seesPersonalData}
      idempotencyKey={nextKey(refused?.form ?? {}, refused?.status ?? 200)}
      problem={refused?.problem ?? null}
      isDone={isDone}
      now={now}
      texts={texts}
      language={languageOf(c)}
    />,
  );
}

const headOf = (c: ConsoleContext) => ({ title: textsOf(c).disputes.title, active: DISPUTES_PATH });

const nowOf = (c: ConsoleContext) => c.env.outer.get("deps").clock.now();
