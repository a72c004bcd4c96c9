import { searchReceivedPayments } from "../../../../api/payments/received-routes.ts";
import { parseReais } from "../../../../domain/shared/money.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireCashier } from "../../people/counter/require-cashier.ts";
import { requirePermission } from "../../people/require-scope.ts";
import type { RouteAnswer } from "../../../../http/openapi/route-types.ts";
import { textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { pageStatus } from "../answers.tsx";
import { BackToCounter } from "./shift.tsx";
import { Answer, QuestionForm, type Question } from "./question.tsx";
import { companyNow } from "../../people/company-head.ts";

const PATH = "/console/cashier/question";
/** Brazil has had no daylight saving time since 2019. */
const OFFSET = "-03:00";

/** "Did it really arrive?", for whoever stands at the counter. */
export function cashierQuestion(app: ConsoleApp): void {
  app.get("/cashier/question", requireCashier, requirePermission("cashier:write"), (c) => show(c));
}

async function show(c: ConsoleContext) {
  const texts = textsOf(c);
  const nowMs = companyNow(c);
  const question = questionOf(c, nowMs);
  const answer = await ask(c, question);
  const isWrong = answer === "amount_wrong";
  const answered = answer === "amount_wrong" ? null : answer;
  const failed = answered?.ok === false ? answered : null;
  return page(
    c,
    {
      title: texts.cashier.ask,
      active: PATH,
      status: isWrong ? 400 : failed === null ? 200 : pageStatus(failed),
    },
    <>
      <QuestionForm question={question} isAmountWrong={isWrong} problem={failed?.body ?? null} />
      {answered?.ok === true ? (
        <Answer payments={answered.body.items} isWhole={answered.body.isWhole} />
      ) : null}
      <BackToCounter />
    </>,
  );
}

function questionOf(c: ConsoleContext, nowMs: number): Question {
  const { endToEndId = "", amount = "", at } = c.req.query();
  const now = new Date(nowMs - 3 * 3_600_000).toISOString().slice(0, 16);
  return { endToEndId: endToEndId.trim(), amount: amount.trim(), at: at?.trim() ?? now };
}

/** The ledger's answer; null while nothing is asked. */
async function ask(
  c: ConsoleContext,
  { endToEndId, amount, at }: Question,
): Promise<RouteAnswer<typeof searchReceivedPayments> | "amount_wrong" | null> {
  if (endToEndId !== "") return callRoute(c, searchReceivedPayments, { query: { endToEndId } });
  if (amount === "") return null;
  const cents = parseReais(amount);
  if (cents === null) return "amount_wrong";
  return callRoute(c, searchReceivedPayments, {
    query: { amount: cents, at: at.length === 16 ? `${at}:00${OFFSET}` : at },
  });
}
