import { erasePayer, listPayers } from "../../../../api/payers/routes.ts";
import { searchTransactionsByBody } from "../../../../api/transactions/read/routes.ts";
import { callRoute, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import { fill, textsOf, useTexts } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { DoneNotice, NextPage, ProblemNotice, Section } from "../../ui/parts.tsx";
import { formOf, may, pageStatus, refusalPage } from "../answers.tsx";
import { exportWhole } from "./export.ts";
import { PayerList } from "./list.tsx";
import { documentOf, payerRoutes } from "./payer-routes.tsx";
import { ConfirmErase, Found, LookUp, PAYERS_PATH } from "./pages.tsx";

const PAGE_SIZE = 25;
const COUNT = /^\d{1,9}$/;

/** Payers: what is stored of one, to show, to give out and to erase. The document stands in no address. */
export function payersScreen(app: ConsoleApp): void {
  const look = [requireMember, requirePermission("pii:read"), requireFreshSecondFactor] as const;
  app.get("/payers", requireMember, requirePermission("pii:read"), (c) => {
    const { payers: labels, errors } = textsOf(c);
    if (!may(c, "pii:read")) {
      return page(
        c,
        { title: errors.forbidden, active: PAYERS_PATH, status: 403 },
        <p>{labels.forbidden}</p>,
      );
    }
    return listPage(c);
  });
  payerRoutes(app);
  app.post("/payers", ...look, (c) => lookUp(c));
  // Pages that only a form shows: the language switch and the second factor lead back to them by GET.
  app.get("/payers/*", requireMember, requirePermission("pii:read"), (c) =>
    c.redirect(PAYERS_PATH),
  );
  app.post("/payers/export", ...look, (c) => download(c));
  app.post(
    "/payers/erase/confirm",
    requireMember,
    requirePermission("settings:write"),
    requireFreshSecondFactor,
    (c) => confirmErase(c),
  );
  app.post(
    "/payers/erase",
    requireMember,
    requirePermission("settings:write"),
    requireFreshSecondFactor,
    (c) => erase(c),
  );
}

/** The payers, with the look-up by document below. */
async function listPage(c: ConsoleContext) {
  const texts = textsOf(c);
  const query = { limit: PAGE_SIZE, after: c.req.query("after") };
  const answer = await callRoute(c, listPayers, { query });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const { items, after } = answer.body;
  return page(
    c,
    headOf(c),
    <>
      <Erased c={c} />
      <PayerList items={items} />
      <p class="hint">{texts.payers.list.sums}</p>
      <NextPage url={c.req.url} list={{ after }} />
      <Section title={texts.payers.list.byDocument}>
        <p>{texts.payers.about}</p>
        <LookUp document="" problem={null} />
      </Section>
    </>,
  );
}

/** What was typed and why it was refused. */
function lookUpPage(
  c: ConsoleContext,
  refused: { document: string; status: number; body: ApiProblem },
) {
  const texts = textsOf(c);
  return page(
    c,
    { ...headOf(c), status: pageStatus(refused) },
    <>
      <ProblemNotice problem={refused.body} />
      <p>{texts.payers.about}</p>
      <LookUp document={refused.document} problem={refused.body} />
    </>,
  );
}

/** What an erasure did, from the counts in the address. */
function Erased({ c }: { c: ConsoleContext }) {
  const { erased = "", open = "", done } = c.req.query();
  if (done !== "erased" || !COUNT.test(erased) || !COUNT.test(open)) return null;
  return <DoneNotice>{fill(useTexts().payers.erase.done, { erased, open })}</DoneNotice>;
}

async function lookUp(c: ConsoleContext) {
  const { document = "", after = "" } = await formOf(c);
  const json = { document, limit: 20, ...(after === "" ? {} : { after }) };
  const answer = await callRoute(c, searchTransactionsByBody, { json });
  if (!answer.ok) return lookUpPage(c, { ...answer, document });
  return page(
    c,
    headOf(c),
    <Found
      document={document}
      charges={answer.body.items}
      after={answer.body.after}
      mayErase={may(c, "settings:write")}
    />,
  );
}

async function download(c: ConsoleContext) {
  const document = await documentOf(c, await formOf(c));
  const exported = await exportWhole(c, document);
  if ("ok" in exported) return lookUpPage(c, { ...exported, document });
  return c.body(JSON.stringify(exported, null, 2), 200, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Disposition": 'attachment; filename="pagador.json"',
    "Cache-Control": "private, no-store",
  });
}

async function confirmErase(c: ConsoleContext) {
  const document = await documentOf(c, await formOf(c));
  const texts = textsOf(c);
  if (!may(c, "settings:write")) {
    return page(c, { title: texts.errors.forbidden, active: PAYERS_PATH, status: 403 }, null);
  }
  return page(
    c,
    { title: texts.payers.erase.title, active: PAYERS_PATH },
    <ConfirmErase document={document} idempotencyKey={crypto.randomUUID()} />,
  );
}

async function erase(c: ConsoleContext) {
  const { document = "" } = await formOf(c);
  const answer = await callRoute(c, erasePayer, { json: { document } });
  if (!answer.ok) {
    return answer.status === 403
      ? refusalPage(c, headOf(c), answer)
      : lookUpPage(c, { ...answer, document });
  }
  const { erased, open } = answer.body.data;
  return c.redirect(`${PAYERS_PATH}?done=erased&erased=${erased}&open=${open}`, 303);
}

const headOf = (c: ConsoleContext) => ({ title: textsOf(c).payers.title, active: PAYERS_PATH });
