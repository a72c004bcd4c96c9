import {
  createPaymentLink,
  getPaymentLink,
  getPaymentLinkQr,
  listPaymentLinks,
  changePaymentLink,
} from "../../../../api/payment-links/routes.ts";
import { callRoute, callRouteForFile, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { companyNameOf } from "../../people/company-head.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { textsOf } from "../../texts.ts";
import { page, plainPage } from "../../ui/layout.tsx";
import { DoneNotice, NextPage, ProblemNotice } from "../../ui/parts.tsx";
import {
  download,
  formOf,
  keyOf,
  may,
  nextKey,
  pageStatus,
  refusalPage,
  type Form,
} from "../answers.tsx";
import { paymentsMadeBy } from "../payments/made-by.tsx";
import { ChangeForm, LinkFacts, LinkList, SendLink } from "./pages.tsx";
import { sheetOf, Sign } from "../static-codes/sign.tsx";
import { NewLinkForm } from "./form.tsx";
import { linkChange, linkRequest } from "./request.ts";

const PATH = "/console/payment-links";
const QR_TYPES = { svg: "image/svg+xml", png: "image/png" } as const;

/** Payment links: the list, a new one, one with its QR code, and its changes. */
export function paymentLinksScreen(app: ConsoleApp): void {
  app.get("/payment-links", requireMember, requirePermission("transactions:read"), (c) =>
    showLinks(c),
  );
  app.get("/payment-links/new", requireMember, requirePermission("transactions:write"), (c) =>
    newPage(c),
  );
  app.post("/payment-links", requireMember, requirePermission("transactions:write"), (c) =>
    makeLink(c),
  );
  app.get("/payment-links/:id", requireMember, requirePermission("transactions:read"), (c) =>
    showLink(c),
  );
  app.post("/payment-links/:id", requireMember, requirePermission("transactions:write"), (c) =>
    changeLink(c),
  );
  app.get("/payment-links/:id/print", requireMember, requirePermission("transactions:read"), (c) =>
    showSign(c),
  );
  app.get("/payment-links/:id/:file", requireMember, requirePermission("transactions:read"), (c) =>
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
  const query = { limit: 50, after: c.req.query("after") };
  const answer = await callRoute(c, listPaymentLinks, { query });
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
      <LinkList items={answer.body.items} />
      <NextPage url={c.req.url} list={answer.body} />
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
    />,
  );
}

async function makeLink(c: ConsoleContext) {
  const form = await formOf(c);
  const json = linkRequest(form);
  if (json === null) return newPage(c, { form, status: 400, problem: null });
  const answer = await callRoute(c, createPaymentLink, { json, ...keyOf(form) });
  if (answer.ok) return c.redirect(`${PATH}/${answer.body.data.id}?done=made`, 303);
  return newPage(c, { form, status: answer.status, problem: answer.body });
}

async function showLink(c: ConsoleContext, refused?: { status: number; problem: ApiProblem }) {
  const answer = await callRoute(c, getPaymentLink, { params: paramsOf(c) });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const texts = textsOf(c);
  const link = answer.body.data;
  const payments = await paymentsMadeBy(c, { paymentLinkId: link.id });
  return page(
    c,
    {
      title: link.name,
      active: PATH,
      status: refused === undefined ? 200 : pageStatus(refused),
    },
    <>
      {c.req.query("done") === "made" ? <DoneNotice>{texts.paymentLinks.made}</DoneNotice> : null}
      {refused === undefined ? null : <ProblemNotice problem={refused.problem} />}
      <SendLink link={link} company={companyNameOf(c)} />
      <LinkFacts link={link} />
      {may(c, "transactions:write") ? <ChangeForm link={link} /> : null}
      {payments}
    </>,
  );
}

async function changeLink(c: ConsoleContext) {
  const form = await formOf(c);
  const answer = await callRoute(c, changePaymentLink, {
    params: paramsOf(c),
    json: linkChange(form),
  });
  if (answer.ok) return c.redirect(`${PATH}/${encodeURIComponent(paramsOf(c).id)}`, 303);
  return showLink(c, { status: answer.status, problem: answer.body });
}

async function showSign(c: ConsoleContext) {
  const answer = await callRoute(c, getPaymentLink, { params: paramsOf(c) });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const { id, url, amount, name } = answer.body.data;
  return plainPage(
    c,
    { title: textsOf(c).payment.send.sheet },
    <Sign
      code={url}
      company={companyNameOf(c)}
      amount={amount}
      description={name}
      back={`${PATH}/${id}`}
      sheet={sheetOf(c)}
    />,
  );
}

async function downloadQr(c: ConsoleContext) {
  const format = (["svg", "png"] as const).find((name) => `qr.${name}` === c.req.param("file"));
  if (format === undefined) return c.notFound();
  const answer = await callRouteForFile(c, getPaymentLinkQr, QR_TYPES[format], {
    params: paramsOf(c),
    query: { format },
  });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return download(answer, { type: QR_TYPES[format], name: `link-qr.${format}` });
}

const paramsOf = (c: ConsoleContext) => ({ id: c.req.param("id") ?? "" });
const headOf = (c: ConsoleContext) => ({ title: textsOf(c).paymentLinks.title, active: PATH });
