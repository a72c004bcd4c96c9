import {
  createStaticCode,
  deleteStaticCode,
  getStaticCode,
  listStaticCodes,
} from "../../../../api/pix/static-codes/routes.ts";
import { parseReais } from "../../../../domain/shared/money.ts";
import { callRoute, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { companyNameOf } from "../../people/company-head.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { textsOf } from "../../texts.ts";
import { page, plainPage } from "../../ui/layout.tsx";
import { DoneNotice, NextPage } from "../../ui/parts.tsx";
import {
  formOf,
  keyOf,
  may,
  nextKey,
  pageStatus,
  qrDownload,
  refusalPage,
  type Form,
} from "../answers.tsx";
import { paymentsMadeBy } from "../payments/made-by.tsx";
import { CodeFacts, CodeForm, CodeList } from "./pages.tsx";
import { sheetOf, Sign } from "./sign.tsx";

const PATH = "/console/static-codes";

/** Codes that are printed once and paid any number of times. */
export function staticCodesScreen(app: ConsoleApp): void {
  app.get("/static-codes", requireMember, requirePermission("transactions:read"), (c) =>
    showCodes(c),
  );
  app.post("/static-codes", requireMember, requirePermission("transactions:write"), (c) =>
    makeCode(c),
  );
  app.get("/static-codes/:id", requireMember, requirePermission("transactions:read"), (c) =>
    showCode(c),
  );
  app.get("/static-codes/:id/print", requireMember, requirePermission("transactions:read"), (c) =>
    showSign(c),
  );
  app.get("/static-codes/:id/qr.png", requireMember, requirePermission("transactions:read"), (c) =>
    downloadQr(c),
  );
  app.post(
    "/static-codes/:id/delete",
    requireMember,
    requirePermission("transactions:write"),
    async (c) => {
      const answer = await callRoute(c, deleteStaticCode, { params: paramsOf(c) });
      if (!answer.ok) return refusalPage(c, headOf(c), answer);
      return c.redirect(`${PATH}/${encodeURIComponent(paramsOf(c).id)}`, 303);
    },
  );
}

interface Refused {
  form: Form;
  status: number;
  problem: ApiProblem | null;
}

async function showCodes(c: ConsoleContext, refused?: Refused) {
  const query = { limit: 50, after: c.req.query("after") };
  const answer = await callRoute(c, listStaticCodes, { query });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return page(
    c,
    { ...headOf(c), status: refused === undefined ? 200 : pageStatus(refused) },
    <>
      {may(c, "transactions:write") ? (
        <CodeForm
          form={refused?.form ?? {}}
          problem={refused?.problem ?? null}
          isAmountWrong={refused !== undefined && refused.problem === null}
          idempotencyKey={nextKey(refused?.form ?? {}, refused?.status ?? 200)}
        />
      ) : null}
      <CodeList items={answer.body.items} />
      <NextPage url={c.req.url} list={answer.body} />
    </>,
  );
}

async function makeCode(c: ConsoleContext) {
  const form = await formOf(c);
  const { amount: typed = "", description = "" } = form;
  const amount = typed.trim() === "" ? undefined : parseReais(typed);
  if (amount === null) return showCodes(c, { form, status: 400, problem: null });
  const answer = await callRoute(c, createStaticCode, {
    json: {
      ...(amount === undefined ? {} : { amount }),
      ...(description.trim() === "" ? {} : { description: description.trim() }),
    },
    ...keyOf(form),
  });
  if (answer.ok) return c.redirect(`${PATH}/${answer.body.data.id}?done=made`, 303);
  return showCodes(c, { form, status: answer.status, problem: answer.body });
}

async function showCode(c: ConsoleContext) {
  const answer = await callRoute(c, getStaticCode, { params: paramsOf(c) });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const texts = textsOf(c);
  const code = answer.body.data;
  const payments = await paymentsMadeBy(c, { staticCodeId: code.id });
  return page(
    c,
    headOf(c),
    <>
      {c.req.query("done") === "made" ? <DoneNotice>{texts.staticCodes.made}</DoneNotice> : null}
      <CodeFacts
        code={code}
        company={companyNameOf(c)}
        mayDelete={may(c, "transactions:write") && code.deletedAt === null}
      />
      {payments}
    </>,
  );
}

async function showSign(c: ConsoleContext) {
  const answer = await callRoute(c, getStaticCode, { params: paramsOf(c) });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const { id, qrcode, amount, description } = answer.body.data;
  return plainPage(
    c,
    { title: textsOf(c).staticCodes.sign },
    <Sign
      code={qrcode}
      company={companyNameOf(c)}
      amount={amount}
      description={description}
      back={`${PATH}/${id}`}
      sheet={sheetOf(c)}
    />,
  );
}

async function downloadQr(c: ConsoleContext) {
  const answer = await callRoute(c, getStaticCode, { params: paramsOf(c) });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return qrDownload(answer.body.data.qrcode, "pix-qr.png");
}

const paramsOf = (c: ConsoleContext) => ({ id: c.req.param("id") ?? "" });
const headOf = (c: ConsoleContext) => ({ title: textsOf(c).staticCodes.title, active: PATH });
