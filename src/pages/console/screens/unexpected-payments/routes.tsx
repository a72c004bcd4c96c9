import { etag } from "hono/etag";
import { getBalance } from "../../../../api/balance/routes.ts";
import {
  creditUnexpectedPayment,
  getUnexpectedPayment,
  listUnexpectedPayments,
  returnUnexpectedPayment,
} from "../../../../api/payments/routes.ts";
import { changeCompanySettings, getCompanySettings } from "../../../../api/settings/routes.ts";
import { CURRENCY, reaisToCents } from "../../../../domain/shared/money.ts";
import { callRoute, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { ifTyped } from "../../form.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import { textsOf } from "../../texts.ts";
import { fragment, page } from "../../ui/layout.tsx";
import { DoneNotice, NextPage } from "../../ui/parts.tsx";
import { formOf, keyOf, may, nextKey, pageStatus, refusalPage, type Form } from "../answers.tsx";
import { Confirm, type Decision } from "./confirm.tsx";
import { Filters, PaymentList } from "./list.tsx";
import { PAYMENTS_PATH, rulesOf } from "./payment.ts";
import { RulesForm } from "./rules.tsx";
import { companyNow } from "../../people/company-head.ts";

/** Payments that no charge expected as they came: to credit, to return, and the company's rules. */
export function unexpectedPaymentsScreen(app: ConsoleApp): void {
  app.get(
    "/unexpected-payments",
    requireMember,
    requirePermission("transactions:read"),
    etag(),
    (c) => showPayments(c),
  );
  app.get("/unexpected-payments/rules", requireMember, requirePermission("settings:write"), (c) =>
    showRules(c),
  );
  app.post(
    "/unexpected-payments/rules",
    requireMember,
    requirePermission("settings:write"),
    requireFreshSecondFactor,
    (c) => saveRules(c),
  );
  for (const decision of ["credit", "return"] as const) {
    app.get(
      `/unexpected-payments/:id/${decision}`,
      requireMember,
      requirePermission("payments:write"),
      requireFreshSecondFactor,
      (c) => (may(c, "payments:write") ? confirmPage(c, decision) : forbiddenPage(c)),
    );
    app.post(
      `/unexpected-payments/:id/${decision}`,
      requireMember,
      requirePermission("payments:write"),
      requireFreshSecondFactor,
      (c) => decide(c, decision),
    );
  }
}

async function showPayments(c: ConsoleContext) {
  const texts = textsOf(c);
  const labels = texts.unexpectedPayments;
  const { status = "kept", reason = "", after, done } = c.req.query();
  const query = new URLSearchParams({ status, reason });
  if (after !== undefined) query.set("after", after);
  const answer = await callRoute(c, listUnexpectedPayments, {
    query: {
      status: status === "all" ? undefined : ifTyped(status),
      reason: ifTyped(reason),
      after: ifTyped(after),
      limit: 50,
    },
  });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  query.set("fragment", "1");
  const list = (
    <PaymentList
      items={answer.body.items}
      refresh={`${PAYMENTS_PATH}?${query.toString()}`}
      mayDecide={may(c, "payments:write")}
      now={companyNow(c)}
    />
  );
  if (c.req.query("fragment") === "1") return fragment(c, list);
  const notices: Record<string, string> = labels.done;
  const rules = (
    <a href={`${PAYMENTS_PATH}/rules`} class="button">
      {labels.rules.title}
    </a>
  );
  return page(
    c,
    { ...headOf(c), ...(may(c, "settings:write") ? { actions: rules } : {}) },
    <>
      {done !== undefined && Object.hasOwn(notices, done) ? (
        <DoneNotice>{notices[done]}</DoneNotice>
      ) : null}
      <Filters status={status} reason={reason} />
      {list}
      <NextPage url={c.req.url} list={answer.body} />
    </>,
  );
}

/** The page before a decision, and again where the API refused it. */
async function confirmPage(
  c: ConsoleContext,
  decision: Decision,
  refused?: { form: Form; problem: ApiProblem; status: number },
) {
  const texts = textsOf(c);
  const [found, balance] = await Promise.all([
    callRoute(c, getUnexpectedPayment, { params: { id: c.req.param("id") ?? "" } }),
    callRoute(c, getBalance, {
      params: { companyId: c.get("person").companyId },
      query: { currency: CURRENCY },
    }),
  ]);
  if (!found.ok) return refusalPage(c, headOf(c), found);
  const company = c
    .get("session")
    ?.memberships.find(({ companyId }) => companyId === c.get("person").companyId);
  return page(
    c,
    {
      title: texts.unexpectedPayments[decision].title,
      active: PAYMENTS_PATH,
      status: refused === undefined ? 200 : pageStatus(refused),
    },
    <Confirm
      payment={found.body.data}
      decision={decision}
      companyName={company?.companyName ?? texts.unexpectedPayments.yourCompany}
      balance={balance.ok ? reaisToCents(balance.body.accBalance) : null}
      idempotencyKey={nextKey(refused?.form ?? {}, refused?.status ?? 200)}
      problem={refused?.problem ?? null}
    />,
  );
}

async function decide(c: ConsoleContext, decision: Decision) {
  const form = await formOf(c);
  const input = { params: { id: c.req.param("id") ?? "" }, ...keyOf(form) };
  const answer =
    decision === "credit"
      ? await callRoute(c, creditUnexpectedPayment, input)
      : await callRoute(c, returnUnexpectedPayment, input);
  if (!answer.ok) {
    return confirmPage(c, decision, { form, problem: answer.body, status: answer.status });
  }
  const done = answer.status === 202 ? "returning" : decision;
  return c.redirect(`${PAYMENTS_PATH}?done=${done}`, 303);
}

async function showRules(c: ConsoleContext) {
  const answer = await callRoute(c, getCompanySettings);
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return rulesPage(c, answer.body.unexpectedPayments);
}

async function saveRules(c: ConsoleContext) {
  const form = await formOf(c);
  const unexpectedPayments = rulesOf(form);
  const answer = await callRoute(c, changeCompanySettings, { json: { unexpectedPayments } });
  if (answer.ok) return c.redirect(`${PAYMENTS_PATH}/rules?done=rules`, 303);
  return rulesPage(c, unexpectedPayments, answer);
}

function rulesPage(
  c: ConsoleContext,
  rules: Record<string, string | undefined>,
  refused?: { status: number; body: ApiProblem },
) {
  const texts = textsOf(c);
  return page(
    c,
    {
      title: texts.unexpectedPayments.rules.title,
      active: PAYMENTS_PATH,
      status: refused === undefined ? 200 : pageStatus(refused),
    },
    <RulesForm
      rules={rules}
      idempotencyKey={crypto.randomUUID()}
      problem={refused?.body ?? null}
      isDone={c.req.query("done") === "rules"}
    />,
  );
}

function forbiddenPage(c: ConsoleContext) {
  return page(c, { title: textsOf(c).errors.forbidden, active: PAYMENTS_PATH, status: 403 }, null);
}

const headOf = (c: ConsoleContext) => ({
  title: textsOf(c).unexpectedPayments.title,
  active: PAYMENTS_PATH,
});
