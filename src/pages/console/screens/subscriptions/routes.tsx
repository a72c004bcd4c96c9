import { recoveryRoute } from "../../../../api/subscriptions/reports/recovery.ts";
import {
  chargesRoute,
  createRoute,
  listRoute,
  showRoute,
} from "../../../../api/subscriptions/routes.ts";
import { publicOrigin } from "../../../../config.ts";
import { saoPauloDay } from "../../../../domain/shared/business-day.ts";
import { CITY_CODE, type City } from "../../../../domain/subscriptions/business-calendar.ts";
import { earliestDueDate } from "../../../../domain/subscriptions/debit-window.ts";
import { SUBSCRIPTION_STATUSES } from "../../../../domain/subscriptions/subscription.ts";
import { callRoute, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { companyModeOf, companyNow } from "../../people/company-head.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { DoneNotice, NextPage, ProblemNotice } from "../../ui/parts.tsx";
import { formOf, keyOf, may, nextKey, pageStatus, refusalPage, type Form } from "../answers.tsx";
import { actOnCharge, actOnSubscription, type Acted } from "./actions.ts";
import { Charges } from "./charges.tsx";
import {
  Changes,
  NeedsApproval,
  NextCharges,
  PayersLinks,
  PlayPayer,
  SubscriptionFacts,
  type RefusedAct,
} from "./detail.tsx";
import { NewSubscriptionForm } from "./form.tsx";
import { RecoveredSum, SubscriptionList, Tabs } from "./list.tsx";
import { showRecovery } from "./recovery.tsx";
import { ReportLinks, showBanks, showOutlook } from "./reports.tsx";
import { subscriptionRequest } from "./request.ts";
import { subscriptionPath, SUBSCRIPTIONS_PATH } from "./subscription.ts";

const mayRead = requirePermission("transactions:read");
const mayWrite = requirePermission("transactions:write");

/** Subscriptions: the list, what comes and by which banks, a new one, one with its debits, and what is done with it. */
export function subscriptionsScreen(app: ConsoleApp): void {
  app.get("/subscriptions", requireMember, mayRead, (c) => showList(c));
  app.get("/subscriptions/new", requireMember, mayWrite, (c) => newPage(c));
  app.post("/subscriptions", requireMember, mayWrite, (c) => make(c));
  app.get("/subscriptions/upcoming", requireMember, mayRead, (c) => showOutlook(c));
  app.get("/subscriptions/banks", requireMember, mayRead, (c) => showBanks(c));
  app.get("/subscriptions/recovered", requireMember, mayRead, (c) => showRecovery(c));
  app.get("/subscriptions/:id", requireMember, mayRead, (c) => showOne(c));
  app.post("/subscriptions/:id/:action", requireMember, mayWrite, async (c) =>
    afterAct(c, await actOnSubscription(c, idOf(c), c.req.param("action"))),
  );
  app.post(
    "/subscriptions/:id/charges/:transactionId/:action",
    requireMember,
    mayWrite,
    async (c) => {
      const { transactionId, action } = c.req.param();
      return afterAct(c, await actOnCharge(c, { id: idOf(c), transactionId, action }));
    },
  );
}

async function showList(c: ConsoleContext) {
  const asked = c.req.query("status");
  const status = SUBSCRIPTION_STATUSES.find((word) => word === asked);
  const query = { limit: 50, after: c.req.query("after"), status };
  const [answer, recovery] = await Promise.all([
    callRoute(c, listRoute, { query }),
    callRoute(c, recoveryRoute, { query: {} }),
  ]);
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const actions = may(c, "transactions:write") ? (
    <a class="button primary" href={`${SUBSCRIPTIONS_PATH}/new`}>
      {textsOf(c).subscriptions.new}
    </a>
  ) : null;
  return page(
    c,
    { ...headOf(c), actions },
    <>
      <ReportLinks />
      <Tabs status={status} />
      {recovery.ok ? <RecoveredSum months={recovery.body.items} /> : null}
      <SubscriptionList items={answer.body.items} hasFilter={status !== undefined} />
      <NextPage url={c.req.url} list={answer.body} />
    </>,
  );
}

function newPage(
  c: ConsoleContext,
  refused?: { form: Form; status: number; problem: ApiProblem | null },
) {
  const { form = {}, status = 200, problem = null } = refused ?? {};
  const today = saoPauloDay(companyNow(c));
  return page(
    c,
    {
      title: textsOf(c).subscriptions.new,
      active: SUBSCRIPTIONS_PATH,
      status: pageStatus({ status }),
    },
    <NewSubscriptionForm
      form={form}
      problem={problem}
      isAmountWrong={refused !== undefined && problem === null}
      idempotencyKey={nextKey(form, status)}
      today={today}
      earliest={earliestDueDate(today, cityOf(form))}
    />,
  );
}

/** The payer's town as it was typed; null where that is no town's code. */
function cityOf({ city = "" }: Form): City {
  return CITY_CODE.test(city) ? city : null;
}

async function make(c: ConsoleContext) {
  const form = await formOf(c);
  const json = subscriptionRequest(form);
  if (json === null) return newPage(c, { form, status: 400, problem: null });
  const answer = await callRoute(c, createRoute, { json, ...keyOf(form) });
  if (answer.ok) return c.redirect(`${subscriptionPath(answer.body.data.id)}?done=made`, 303);
  return newPage(c, { form, status: answer.status, problem: answer.body });
}

async function showOne(
  c: ConsoleContext,
  refused?: { status: number; problem: ApiProblem | null },
) {
  const params = { id: idOf(c) };
  const [found, charges] = await Promise.all([
    callRoute(c, showRoute, { params }),
    callRoute(c, chargesRoute, { params, query: { limit: 25, after: c.req.query("after") } }),
  ]);
  if (!found.ok) return refusalPage(c, headOf(c), found);
  if (!charges.ok) return refusalPage(c, headOf(c), charges);
  const texts = textsOf(c).subscriptions;
  const subscription = found.body.data;
  const isSandbox = companyModeOf(c) === "sandbox";
  const mayAct = may(c, "transactions:write");
  const act = refused === undefined ? null : await refusedAct(c, refused.problem);
  const done = c.req.query("done");
  const { outer } = c.env;
  return page(
    c,
    {
      title: subscription.description,
      active: SUBSCRIPTIONS_PATH,
      status: refused === undefined ? 200 : pageStatus(refused),
    },
    <>
      {done === "made" || done === "changed" ? <DoneNotice>{texts.done[done]}</DoneNotice> : null}
      {refused?.problem == null ? null : <ProblemNotice problem={refused.problem} />}
      <NeedsApproval of={subscription} />
      <SubscriptionFacts of={subscription} />
      <PayersLinks of={subscription} origin={publicOrigin(outer.env, outer.req.url)} />
      <Charges
        items={charges.body.items}
        id={subscription.id}
        mayAct={mayAct}
        isSandbox={isSandbox}
      />
      <NextPage url={c.req.url} list={charges.body} />
      <NextCharges of={subscription} mayAct={mayAct} refused={act} />
      {mayAct ? <Changes of={subscription} refused={act} /> : null}
      {mayAct && isSandbox ? <PlayPayer of={subscription} /> : null}
    </>,
  );
}

/** What was refused; an amount that is none was not sent. */
async function refusedAct(c: ConsoleContext, problem: ApiProblem | null): Promise<RefusedAct> {
  const errors = problem?.errors ?? {};
  return {
    action: c.req.param("action") ?? "",
    form: await formOf(c),
    errors: problem === null ? { amount: [textsOf(c).subscriptions.amountWrong] } : errors,
  };
}

/** The page after an action: anew, or with what was refused. */
function afterAct(c: ConsoleContext, acted: Acted) {
  if (acted.kind === "done") return c.redirect(`${subscriptionPath(idOf(c))}?done=changed`, 303);
  if (acted.kind === "no_such_action") return c.notFound();
  return showOne(c, acted);
}

const idOf = (c: ConsoleContext) => c.req.param("id") ?? "";
const headOf = (c: ConsoleContext) => ({
  title: textsOf(c).menu.subscriptions,
  active: SUBSCRIPTIONS_PATH,
});
