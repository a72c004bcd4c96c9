import { callApi, fetchApi, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requirePerson } from "../../people/require-person.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { languageOf, textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { DoneNotice, NextPage, ProblemNotice } from "../../ui/parts.tsx";
import { formOf, keyOf, may, nextKey, pageStatus, refusalPage, type Form } from "../answers.tsx";
import { ChangeForm, LinkFacts, LinkList, type Link } from "./pages.tsx";
import { NewLinkForm } from "./form.tsx";
import { linkChange, linkRequest } from "./request.ts";

const PATH = "/console/payment-links";
const API_PATH = "/api/v1/payment-links";
const QR_TYPES = { "qr.svg": "image/svg+xml", "qr.png": "image/png" } as const;

/** Payment links: the list, a new one, one with its QR code, and its changes. */
export function paymentLinksScreen(app: ConsoleApp): void {
  app.get("/payment-links", requirePerson, requirePermission("transactions:read"), (c) =>
    showLinks(c),
  );
  app.get("/payment-links/new", requirePerson, requirePermission("transactions:write"), (c) =>
    newPage(c),
  );
  app.post("/payment-links", requirePerson, requirePermission("transactions:write"), (c) =>
    makeLink(c),
  );
  app.get("/payment-links/:id", requirePerson, requirePermission("transactions:read"), (c) =>
    showLink(c),
  );
  app.post("/payment-links/:id", requirePerson, requirePermission("transactions:write"), (c) =>
    changeLink(c),
  );
  app.get("/payment-links/:id/:file", requirePerson, requirePermission("transactions:read"), (c) =>
    downloadQr(c),
  );
}

interface Refused {
  form: Form;
  status: number;
  problem: ApiProblem | null;
}

async function showLinks(c: ConsoleContext) {
  const texts = textsOf(c);
  const query = new URLSearchParams({ limit: "50" });
  const after = c.req.query("after");
  if (after !== undefined) query.set("after", after);
  const answer = await callApi(c, "GET", `${API_PATH}?${query.toString()}`);
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const actions = may(c, "transactions:write") ? (
    <a class="button primary" href={`${PATH}/new`}>
      {texts.paymentLinks.new}
    </a>
  ) : null;
  return page(
    c,
    { ...headOf(c), actions },
    <>
      <LinkList items={answer.body.items} texts={texts} language={languageOf(c)} />
      <NextPage url={c.req.url} after={answer.body.after} text={texts.shell.next} />
    </>,
  );
}

function newPage(c: ConsoleContext, refused?: Refused) {
  const texts = textsOf(c);
  const { form = {}, status = 200, problem = null } = refused ?? {};
  return page(
    c,
    { title: texts.paymentLinks.new, active: PATH, status: pageStatus({ status }) },
    <NewLinkForm
      form={form}
      problem={problem}
      isAmountWrong={refused !== undefined && problem === null}
      idempotencyKey={nextKey(form, status)}
      texts={texts}
    />,
  );
}

async function makeLink(c: ConsoleContext) {
  const form = await formOf(c);
  const body = linkRequest(form);
  if (body === null) return newPage(c, { form, status: 400, problem: null });
  const answer = await callApi(c, "POST", API_PATH, { body, ...keyOf(form) });
  if (answer.ok) return c.redirect(`${PATH}/${answer.body.data.id}?done=made`, 303);
  return newPage(c, { form, status: answer.status, problem: answer.body });
}

async function showLink(c: ConsoleContext, refused?: { status: number; problem: ApiProblem }) {
  const answer = await callApi(c, "GET", apiPath(c));
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const texts = textsOf(c);
  const link: Link = answer.body.data;
  return page(
    c,
    {
      title: link.name,
      active: PATH,
      status: refused === undefined ? 200 : pageStatus(refused),
    },
    <>
      {c.req.query("done") === "made" ? <DoneNotice>{texts.paymentLinks.made}</DoneNotice> : null}
      {refused === undefined ? null : <ProblemNotice problem={refused.problem} texts={texts} />}
      <LinkFacts link={link} texts={texts} language={languageOf(c)} />
      {may(c, "transactions:write") ? <ChangeForm link={link} texts={texts} /> : null}
    </>,
  );
}

async function changeLink(c: ConsoleContext) {
  const form = await formOf(c);
  const answer = await callApi(c, "PATCH", apiPath(c), { body: linkChange(form) });
  if (answer.ok) return c.redirect(`${PATH}/${encodeURIComponent(idOf(c))}`, 303);
  return showLink(c, { status: answer.status, problem: answer.body });
}

async function downloadQr(c: ConsoleContext) {
  const file = (["qr.svg", "qr.png"] as const).find((name) => name === c.req.param("file"));
  if (file === undefined) return c.notFound();
  const answer = await fetchApi(c, "GET", `${apiPath(c)}/qr?format=${file.slice(3)}`, {
    accept: QR_TYPES[file],
  });
  if (!answer.ok) {
    const { status, ok, headers } = answer;
    return refusalPage(c, headOf(c), { status, ok, headers, body: await answer.json() });
  }
  return c.body(await answer.arrayBuffer(), 200, {
    "Content-Type": QR_TYPES[file],
    "Content-Disposition": `attachment; filename="link-${file}"`,
  });
}

const idOf = (c: ConsoleContext) => c.req.param("id") ?? "";
const apiPath = (c: ConsoleContext) => `${API_PATH}/${encodeURIComponent(idOf(c))}`;
const headOf = (c: ConsoleContext) => ({ title: textsOf(c).paymentLinks.title, active: PATH });
