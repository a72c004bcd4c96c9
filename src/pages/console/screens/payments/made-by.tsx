import { searchTransactions } from "../../../../api/transactions/read/routes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import type { QueryOf } from "../../../../http/openapi/route-types.ts";
import { textsOf } from "../../texts.ts";
import { NextPage, ProblemNotice, Section } from "../../ui/parts.tsx";
import { PaymentList } from "./list.tsx";

/** The payments that came by a static code or by a payment link, newest first; `after` in the URL is their cursor. */
export async function paymentsMadeBy(
  c: ConsoleContext,
  by: Pick<QueryOf<typeof searchTransactions>, "staticCodeId" | "paymentLinkId">,
) {
  const query = { ...by, limit: 25, after: c.req.query("after") };
  const answer = await callRoute(c, searchTransactions, { query });
  return (
    <Section title={textsOf(c).payments.title}>
      {answer.ok ? (
        <>
          <PaymentList items={answer.body.items} hasFilters refresh={null} />
          <NextPage url={c.req.url} list={answer.body} />
        </>
      ) : (
        <ProblemNotice problem={answer.body} />
      )}
    </Section>
  );
}
