import { createPaymentLink } from "../../../../api/payment-links/routes.ts";
import { createTransaction } from "../../../../api/transactions/routes.ts";
import { callRoute, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { has } from "../../ui/menu.ts";
import { knownPayers, payerOfCharge } from "./known-payers.ts";
import { NewChargeForm } from "./page.tsx";
import {
  chargeRequest,
  EMPTY,
  errorsByField,
  FIELDS,
  type ChargeRequest,
  type Typed,
} from "./request.ts";

const PATH = "/charges/new";
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A new charge: PIX, boleto, or a card by a link for one payment. */
export function newChargeScreen(app: ConsoleApp): void {
  app.get(PATH, requireMember, requirePermission("transactions:write"), (c) =>
    mayCreate(c) ? newPage(c) : refused(c),
  );
  app.post(PATH, requireMember, requirePermission("transactions:write"), (c) => create(c));
}

async function create(c: ConsoleContext): Promise<Response> {
  const form = await c.req.parseBody();
  const text = (name: string) => {
    const value = form[name];
    return typeof value === "string" ? value.trim() : "";
  };
  const typed = Object.fromEntries(FIELDS.map((name) => [name, text(name)])) as Typed;
  const key = text("idempotencyKey");
  if (!mayCreate(c)) return refused(c);
  const labels = textsOf(c).newCharge;
  const payer = typed.payerOf === "" ? null : await payerOfCharge(c, typed.payerOf);
  if (typed.payerOf !== "" && payer === null) {
    return formPage(c, {
      typed: { ...typed, payerOf: "" },
      key,
      status: 400,
      errors: { name: [labels.payerGone] },
    });
  }
  const request = chargeRequest(typed, labels, payer);
  if (request === null) {
    return formPage(c, { typed, key, status: 400, errors: { amount: [labels.amountWrong] } });
  }
  const answer = await send(c, request, key === "" ? {} : { idempotencyKey: key });
  if (answer.ok) return c.redirect(shownAt(request.makes, answer.body.data.id), 303);
  const problem: ApiProblem = answer.body;
  const { status } = answer;
  // A refused charge belongs to its key for good; a wrong field leaves the key free.
  const next = status === 422 || problem.code === "IDEMPOTENCY_KEY_REUSED" ? "" : key;
  return formPage(c, { typed, key: next, status, errors: errorsByField(problem.errors), problem });
}

/** The empty form, or one for the payer of an earlier charge. */
function newPage(c: ConsoleContext) {
  const payerOf = c.req.query("payer") ?? "";
  return formPage(c, { typed: { ...EMPTY, payerOf: UUID.test(payerOf) ? payerOf : "" } });
}

function send(c: ConsoleContext, request: ChargeRequest, key: { idempotencyKey?: string }) {
  return request.makes === "link"
    ? callRoute(c, createPaymentLink, { json: request.json, ...key })
    : callRoute(c, createTransaction, { json: request.json, ...key });
}

/** The console's page of what was made. */
function shownAt(makes: ChargeRequest["makes"], id: string): string {
  return makes === "link"
    ? `/console/payment-links/${id}?done=made`
    : `/console/payments/${id}?done=created`;
}

interface Shown {
  typed?: Typed;
  key?: string;
  status?: number;
  errors?: Record<string, string[]>;
  problem?: ApiProblem;
}

async function formPage(c: ConsoleContext, shown: Shown) {
  const { typed = EMPTY, key = "", status = 200, errors = {}, problem } = shown;
  const texts = textsOf(c);
  const known = await knownPayers(c, typed.payerOf);
  return page(
    c,
    { title: texts.newCharge.title, active: `/console${PATH}`, status: status as 200 },
    <NewChargeForm
      known={known}
      typed={typed}
      errors={errors}
      problem={problem}
      idempotencyKey={key === "" ? crypto.randomUUID() : key}
    />,
  );
}

function mayCreate(c: ConsoleContext): boolean {
  return has("transactions:write")(c.get("person"));
}

function refused(c: ConsoleContext) {
  const { errors, newCharge } = textsOf(c);
  return page(c, { title: errors.forbidden, status: 403 }, <p>{newCharge.refused}</p>);
}
