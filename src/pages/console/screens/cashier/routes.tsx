import { etag } from "hono/etag";
import { createTransaction } from "../../../../api/transactions/routes.ts";
import {
  closeShift,
  findCashierCharge,
  findOpenShift,
  findShift,
  newestOfShift,
  noteCashierCharge,
  openShift,
  sumsOfShift,
  waitingOfShift,
  type Cashier,
  type CashierCharge,
  type Shift,
} from "../../../../db/people/cashier-shifts.ts";
import { personClientId } from "../../../../domain/access/person.ts";
import { newUuid } from "../../../../domain/shared/ids.ts";
import { parseReais } from "../../../../domain/shared/money.ts";
import { callRoute, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { formOf } from "../../form.ts";
import { companyNameOf, companyNow } from "../../people/company-head.ts";
import { recordInCompany } from "../../people/own-actions.ts";
import { requireCashier } from "../../people/counter/require-cashier.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { textsOf } from "../../texts.ts";
import { notFoundPage } from "../../ui/error-pages.tsx";
import { fragment, page } from "../../ui/layout.tsx";
import { may, pageStatus } from "../answers.tsx";
import { cashierMetadata } from "./charge-cashier.ts";
import { cashierQuestion } from "./question-routes.tsx";
import { ArrivalState, ChargeAtCounter, Counter, ShiftStart, ShiftSums } from "./shift.tsx";

const PATH = "/console/cashier";
/** Charges that the counter shows. */
const NEWEST = 10;
/** How long a payer at the counter has. */
const EXPIRES_IN_SECONDS = 3_600;

/** The counter: a shift, its charges, and whether they arrived. A cashier sees what he made himself. */
export function cashierScreen(app: ConsoleApp): void {
  const guard = requirePermission("cashier:write");
  app.get("/cashier", requireCashier, guard, (c) => showCounter(c));
  app.post("/cashier/open", requireCashier, guard, (c) => open(c));
  app.post("/cashier/close", requireCashier, guard, (c) => close(c));
  app.get("/cashier/shift", requireCashier, guard, (c) =>
    showShift(c, (of) => findOpenShift(c.env.outer.env, of)),
  );
  app.get("/cashier/shifts/:id", requireCashier, guard, (c) =>
    showShift(c, (of) => findShift(c.env.outer.env, of, c.req.param("id"))),
  );
  app.post("/cashier/charges", requireCashier, guard, (c) => charge(c));
  app.get("/cashier/charges/:id", requireCashier, guard, (c) =>
    withCharge(c, (found) =>
      page(
        c,
        { title: textsOf(c).cashier.chargeTitle, active: PATH },
        <ChargeAtCounter charge={found} nowMs={companyNow(c)} />,
      ),
    ),
  );
  app.get("/cashier/charges/:id/status", requireCashier, guard, etag(), (c) =>
    withCharge(c, (found) => fragment(c, <ArrivalState charge={found} />)),
  );
  cashierQuestion(app);
}

interface Refused {
  amount: string;
  errors?: string[];
  problem?: ApiProblem;
  status: number;
  key?: string;
}

async function showCounter(c: ConsoleContext, refused?: Refused): Promise<Response> {
  const { env } = c.env.outer;
  const of = cashierOf(c);
  const shift = await findOpenShift(env, of);
  const { title } = textsOf(c).cashier;
  const key = refused?.key ?? crypto.randomUUID();
  if (shift === null) {
    const maySet = may(c, "people:write");
    return page(c, { title, active: PATH }, <ShiftStart idempotencyKey={key} maySet={maySet} />);
  }
  const charges = await newestOfShift(env, of.companyId, { shiftId: shift.id, limit: NEWEST });
  return page(
    c,
    { title, active: PATH, status: refused === undefined ? 200 : pageStatus(refused) },
    <Counter
      charges={charges}
      amount={refused?.amount ?? ""}
      errors={refused?.errors ?? []}
      problem={refused?.problem ?? null}
      idempotencyKey={key}
    />,
  );
}

async function open(c: ConsoleContext): Promise<Response> {
  const { env } = c.env.outer;
  const id = newUuid(c.env.outer.get("deps").random);
  const isNew = await openShift(env, cashierOf(c), { id, openedAt: companyNow(c) });
  if (isNew) await record(c, "cashier_shift.open", id);
  return c.redirect(PATH, 303);
}

async function close(c: ConsoleContext): Promise<Response> {
  const { env } = c.env.outer;
  const form = await formOf(c);
  const id = form("shift");
  const shift = await findShift(env, cashierOf(c), id);
  if (shift === null) return c.redirect(PATH, 303);
  const closedAt = companyNow(c);
  if (await closeShift(env, cashierOf(c), { id, closedAt })) {
    await record(c, "cashier_shift.close", id);
  }
  return c.redirect(`${PATH}/shifts/${id}`, 303);
}

/** Charges in the open shift, and notes whose charge it is before the page shows it. */
async function charge(c: ConsoleContext): Promise<Response> {
  const form = await formOf(c);
  const amount = form("amount").trim();
  const { env } = c.env.outer;
  const of = cashierOf(c);
  const shift = await findOpenShift(env, of);
  if (shift === null) return c.redirect(PATH, 303);
  const cents = parseReais(amount);
  const key = form("idempotencyKey") || crypto.randomUUID();
  if (cents === null || cents === 0) {
    return showCounter(c, { amount, errors: [textsOf(c).cashier.amountWrong], status: 400, key });
  }
  const { name } = c.get("person");
  const device = c.get("device")?.name;
  const answer = await callRoute(c, createTransaction, {
    json: {
      amount: cents,
      paymentMethod: "PIX",
      metadata: cashierMetadata({ id: of.cashier, name, device }),
      pix: { expiresInSeconds: EXPIRES_IN_SECONDS },
    },
    idempotencyKey: key,
  });
  if (!answer.ok) {
    const { status, body: problem } = answer;
    const errors = problem.errors?.["amount"] ?? [];
    return showCounter(c, { amount, errors, problem, status });
  }
  const nowMs = companyNow(c);
  const { id: chargeId } = answer.body.data;
  await noteCashierCharge(env, of.companyId, { chargeId, shiftId: shift.id, nowMs });
  return c.redirect(`${PATH}/charges/${chargeId}`, 303);
}

async function showShift(
  c: ConsoleContext,
  find: (of: Cashier) => Promise<Shift | null>,
): Promise<Response> {
  const of = cashierOf(c);
  const { env } = c.env.outer;
  const shift = await find(of);
  if (shift === null) return notFoundPage(c);
  const [sums, waiting] = await Promise.all([
    sumsOfShift(env, of.companyId, shift),
    waitingOfShift(env, of.companyId, shift.id),
  ]);
  return page(
    c,
    { title: textsOf(c).cashier.shiftTitle, active: PATH },
    <ShiftSums
      shift={shift}
      company={companyNameOf(c)}
      cashier={c.get("person").name}
      sums={sums}
      waiting={waiting}
      idempotencyKey={crypto.randomUUID()}
    />,
  );
}

async function withCharge(
  c: ConsoleContext,
  answer: (charge: CashierCharge) => Response | Promise<Response>,
): Promise<Response> {
  const found = await findCashierCharge(c.env.outer.env, cashierOf(c), c.req.param("id") ?? "");
  return found === null ? notFoundPage(c) : answer(found);
}

function cashierOf(c: ConsoleContext): Cashier {
  const person = c.get("person");
  return { companyId: person.companyId, cashier: personClientId(person) };
}

function record(c: ConsoleContext, action: string, shiftId: string): Promise<void> {
  return recordInCompany(c, { action, target: `cashier_shift:${shiftId}` });
}
