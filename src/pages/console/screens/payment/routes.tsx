import { etag } from "hono/etag";
import { createMiddleware } from "hono/factory";
import { type Cents, parseReais, typedReais } from "../../../../domain/shared/money.ts";
import { getTransactionReceipt } from "../../../../api/receipts/routes.ts";
import { resendWebhook } from "../../../../api/webhooks/deliveries/routes.ts";
import { callRoute, callRouteForFile, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext, ConsoleEnv } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import { fill, localeOf, textsOf } from "../../texts.ts";
import { notFoundPage } from "../../ui/error-pages.tsx";
import { fragment, page } from "../../ui/layout.tsx";
import { has } from "../../ui/menu.ts";
import { qrDownload } from "../answers.tsx";
import { ACTION, ACTIONS, scopeOf, type ActionName } from "./actions.ts";
import { AmountStep, BackLink, ConfirmStep } from "./confirm.tsx";
import { asMaskedFor, paymentPage } from "./page.tsx";
import {
  availableBalance,
  ownCredit,
  pagePath,
  readPayment,
  readTimeline,
  type Payment,
} from "./payment.ts";
import { chargeSign, codeOf } from "./send.tsx";
import { Status } from "./status.tsx";

const PATH = "/payments/:id{[0-9a-fA-F-]+}" as const;
const MENU_PATH = "/console/payments";

/** For what takes no money out. */
const asBefore = createMiddleware<ConsoleEnv>((_c, next) => next());

/** The page of one payment and what can be done with it. */
export function paymentScreen(app: ConsoleApp): void {
  app.get(PATH, requireMember, requirePermission("transactions:read"), (c) =>
    withPayment(c, (payment) => paymentPage(c, payment)),
  );
  app.get(`${PATH}/status`, requireMember, requirePermission("transactions:read"), etag(), (c) =>
    withPayment(c, statusFragment(c)),
  );
  app.get(`${PATH}/receipt.pdf`, requireMember, requirePermission("transactions:read"), (c) =>
    receipt(c),
  );
  app.get(`${PATH}/qr.png`, requireMember, requirePermission("transactions:read"), (c) =>
    withPayment(c, (payment) => {
      const code = codeOf(payment);
      return code === null ? notFoundPage(c) : qrDownload(code, "pix-qr.png");
    }),
  );
  app.get(`${PATH}/print`, requireMember, requirePermission("transactions:read"), (c) =>
    withPayment(
      c,
      (payment) => chargeSign(c, payment, textsOf(c).payment.send.sheet) ?? notFoundPage(c),
    ),
  );
  app.post(
    `${PATH}/payer`,
    requireMember,
    requirePermission("pii:read"),
    requireFreshSecondFactor,
    (c) =>
      withPayment(c, (payment) => {
        if (!has("pii:read")(c.get("person"))) return refused(c, payment.id);
        c.header("Cache-Control", "no-store");
        return paymentPage(c, payment, { isPayerShown: true });
      }),
  );
  app.post(`${PATH}/resend`, requireMember, requirePermission("webhooks:write"), (c) =>
    withPayment(c, (payment) => resend(c, payment)),
  );
  // Asked for by a reload after a form, or after the language was changed on its answer.
  for (const form of ["payer", "resend"]) {
    app.get(`${PATH}/${form}`, requireMember, requirePermission("transactions:read"), (c) =>
      c.redirect(pagePath(c.req.param("id") ?? "")),
    );
  }
  for (const name of ACTIONS) {
    const guard = requirePermission(scopeOf(name));
    const again = ACTION[name].asksAgain === true ? requireFreshSecondFactor : asBefore;
    app.get(`${PATH}/${name}`, requireMember, guard, again, (c) =>
      withPayment(c, (payment) => askAction(c, name, payment)),
    );
    app.post(`${PATH}/${name}`, requireMember, guard, again, (c) =>
      withPayment(c, (payment) => runAction(c, name, payment)),
    );
  }
}

async function withPayment(
  c: ConsoleContext,
  answer: (payment: Payment) => Response | Promise<Response>,
): Promise<Response> {
  const payment = await readPayment(c, c.req.param("id") ?? "");
  return payment === null ? notFoundPage(c) : answer(payment);
}

function statusFragment(c: ConsoleContext) {
  return async (payment: Payment) => {
    const timeline = await readTimeline(c, payment.id);
    const since = c.req.query("since");
    const visible = asMaskedFor(c, payment);
    return fragment(c, <Status payment={visible} timeline={timeline.items} since={since} />);
  };
}

/** The signed receipt as the API makes it. */
async function receipt(c: ConsoleContext): Promise<Response> {
  const params = { id: c.req.param("id") ?? "" };
  const answer = await callRouteForFile(c, getTransactionReceipt, "application/pdf", { params });
  if (!answer.ok) return notFoundPage(c);
  return new Response(answer.body, {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": answer.headers.get("Content-Disposition") ?? "attachment",
      "Cache-Control": "no-store",
    },
  });
}

async function resend(c: ConsoleContext, payment: Payment): Promise<Response> {
  const params = { id: await formField(c, "delivery") };
  const answer = await callRoute(c, resendWebhook, { params });
  if (!answer.ok) return paymentPage(c, payment, { problem: answer });
  return c.redirect(`${pagePath(payment.id)}?done=resend`, 303);
}

/** Asks how much, where a part may be chosen, then for the confirmation. */
async function askAction(c: ConsoleContext, name: ActionName, payment: Payment): Promise<Response> {
  const person = c.get("person");
  if (!has(scopeOf(name))(person)) return refused(c, payment.id);
  const { isPossible, upTo } = ACTION[name];
  if (!isPossible(payment)) return notPossible(c, payment);
  if (upTo === undefined) return confirmPage(c, { name, payment, amount: null });
  const max = await upTo(c, payment);
  const typed = c.req.query("amount");
  const amount = typed === undefined ? null : parseReais(typed);
  if (amount !== null && amount > 0 && amount <= max) {
    return confirmPage(c, { name, payment, amount });
  }
  return amountPage(c, { name, payment, max, typed, amount });
}

interface Amount {
  name: ActionName;
  payment: Payment;
  max: Cents;
  typed: string | undefined;
  amount: Cents | null;
}

function amountPage(c: ConsoleContext, { name, payment, max, typed, amount }: Amount) {
  const { payment: labels } = textsOf(c);
  const { language, money } = localeOf(c);
  const isAbove = amount !== null && amount > max;
  const error = isAbove ? fill(labels.amountAbove, { max: money(max) }) : labels.amountWrong;
  return page(
    c,
    { title: labels.action[name], active: MENU_PATH, status: typed === undefined ? 200 : 422 },
    <AmountStep
      name={name}
      payment={payment}
      max={max}
      person={c.get("person")}
      typed={typed ?? typedReais(max, language)}
      error={typed === undefined ? undefined : error}
    />,
  );
}

interface Confirmation {
  name: ActionName;
  payment: Payment;
  amount: Cents | null;
  /** As it was typed, of an action with a day. */
  dueDate?: string;
  /** What the API refused, under which key. */
  refusal?: { status: number; problem: ApiProblem; idempotencyKey: string };
}

async function confirmPage(
  c: ConsoleContext,
  { name, payment, amount, dueDate, refusal }: Confirmation,
): Promise<Response> {
  const texts = textsOf(c);
  return page(
    c,
    {
      title: texts.payment.action[name],
      active: MENU_PATH,
      ...(refusal === undefined ? {} : { status: refusal.status as 422 }),
    },
    <ConfirmStep
      name={name}
      payment={asMaskedFor(c, payment)}
      amount={amount}
      dueDate={ACTION[name].hasDay === true ? (dueDate ?? payment.boleto?.dueDate ?? "") : null}
      balance={name === "refund" ? await balanceFor(c, payment) : null}
      idempotencyKey={refusal?.idempotencyKey ?? crypto.randomUUID()}
      problem={refusal?.problem}
    />,
  );
}

async function balanceFor(c: ConsoleContext, payment: Payment) {
  const [available, timeline] = await Promise.all([
    availableBalance(c),
    readTimeline(c, payment.id),
  ]);
  return available === null ? null : { available, ownCredit: ownCredit(timeline.items) };
}

async function runAction(c: ConsoleContext, name: ActionName, payment: Payment): Promise<Response> {
  const { isSimulated, isPossible, upTo, run } = ACTION[name];
  // The simulated bank knows no idempotency key: a second payment would be one of its own.
  if (isSimulated && !isPossible(payment)) return notPossible(c, payment);
  const amount = upTo === undefined ? null : parseReais(await formField(c, "amount"));
  if (upTo !== undefined && amount === null) {
    const max = await upTo(c, payment);
    return amountPage(c, { name, payment, max, typed: await formField(c, "amount"), amount });
  }
  const key = await formField(c, "idempotencyKey");
  const dueDate = await formField(c, "dueDate");
  const answer = await run(c, {
    params: { id: payment.id },
    amount,
    dueDate,
    key: isSimulated || key === "" ? {} : { idempotencyKey: key },
  });
  if (answer.ok) return c.redirect(`${pagePath(payment.id)}?done=${name}`, 303);
  // A refusal may belong to the key for good; where nobody knows the outcome, the key finds it.
  const { status, body } = answer;
  const isRefusedForGood = status === 422 || status === 400;
  const idempotencyKey = isRefusedForGood ? crypto.randomUUID() : key;
  const refusal = { status, problem: body, idempotencyKey };
  return confirmPage(c, { name, payment, amount, dueDate, refusal });
}

function refused(c: ConsoleContext, id: string) {
  const { errors, payment: labels } = textsOf(c);
  return page(
    c,
    { title: errors.forbidden, active: MENU_PATH, status: 403 },
    <>
      <p>{labels.refused}</p>
      <BackLink id={id} />
    </>,
  );
}

function notPossible(c: ConsoleContext, { id, status, dispute }: Payment) {
  const { payment: labels } = textsOf(c);
  const why = fill(labels.notPossibleText, { status: labels.status[status] });
  return page(
    c,
    { title: labels.notPossible, active: MENU_PATH, status: 409 },
    <>
      <p>{dispute?.status === "OPEN" ? labels.means.DISPUTED : why}</p>
      <BackLink id={id} />
    </>,
  );
}

async function formField(c: ConsoleContext, name: string): Promise<string> {
  const value = (await c.req.parseBody())[name];
  return typeof value === "string" ? value : "";
}
