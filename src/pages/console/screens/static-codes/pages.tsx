import type { getStaticCode } from "../../../../api/pix/static-codes/routes.ts";
import type { ApiProblem } from "../../api.ts";
import type { RouteBody } from "../../route-types.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { ActionForm, Badge, Facts, Field, List, ProblemNotice, Section } from "../../ui/parts.tsx";
import type { Form } from "../answers.tsx";
import { QrCode } from "../../../shared/qr-code.tsx";
import { Copyable } from "../payment/how-to-pay.tsx";

const PATH = "/console/static-codes";

/** `amount` in centavos; null where the payer chooses. */
export type StaticCode = RouteBody<typeof getStaticCode>["data"];

/** The company's codes, newest first. */
export function CodeList({ items }: { items: StaticCode[] }) {
  const { dateTime } = useLocale();
  const words = useTexts().staticCodes;
  return (
    <List
      caption={words.title}
      rows={items}
      empty={<p>{words.none}</p>}
      columns={[
        {
          heading: words.description,
          cell: (code) => (
            <a href={`${PATH}/${code.id}`}>
              {code.description === "" ? words.unnamed : code.description}
            </a>
          ),
        },
        { heading: words.createdAt, cell: ({ createdAt }) => dateTime(createdAt) },
        {
          heading: words.status,
          cell: ({ deletedAt }) => <CodeBadge isDeleted={deletedAt !== null} />,
        },
        {
          heading: words.amount,
          isNumber: true,
          cell: ({ amount }) => <Amount cents={amount} />,
        },
      ]}
    />
  );
}

/** A new code. */
export function CodeForm(props: {
  form: Form;
  problem: ApiProblem | null;
  isAmountWrong: boolean;
  idempotencyKey: string;
}) {
  const { form, problem, isAmountWrong, idempotencyKey } = props;
  const words = useTexts().staticCodes;
  return (
    <Section title={words.new}>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <ActionForm action={PATH} idempotencyKey={idempotencyKey} submit={words.make}>
        <Field
          label={words.description}
          name="description"
          value={form["description"] ?? ""}
          hint={words.descriptionHint}
          errors={problem?.errors?.["description"]}
        />
        <Field
          label={words.amount}
          name="amount"
          value={form["amount"] ?? ""}
          hint={words.amountHint}
          inputmode="decimal"
          errors={isAmountWrong ? [words.amountWrong] : problem?.errors?.["amount"]}
        />
      </ActionForm>
    </Section>
  );
}

/** One code: to show, copy, print or delete. */
export function CodeFacts({ code, mayDelete }: { code: StaticCode; mayDelete: boolean }) {
  const { dateTime } = useLocale();
  const texts = useTexts();
  const words = texts.staticCodes;
  return (
    <>
      <Section title={code.description === "" ? words.unnamed : code.description}>
        <div class="pay">
          <QrCode code={code.qrcode} label={words.qr} />
          <div>
            <Facts
              of={[
                [words.amount, <Amount cents={code.amount} />],
                [words.createdAt, dateTime(code.createdAt)],
                [words.status, <CodeBadge isDeleted={code.deletedAt !== null} />],
              ]}
            />
            <Copyable id="code" label={words.code} value={code.qrcode} />
            <p class="actions">
              <a class="button primary" href={`${PATH}/${code.id}/print`}>
                {words.print}
              </a>
              <a class="button" href="/console/cashier">
                {texts.menu.cashier}
              </a>
            </p>
          </div>
        </div>
      </Section>
      {mayDelete ? (
        <Section title={words.delete}>
          <p>{words.deleteHint}</p>
          <form method="post" action={`${PATH}/${code.id}/delete`}>
            <button type="submit" class="danger">
              {words.delete}
            </button>
          </form>
        </Section>
      ) : null}
    </>
  );
}

/** What a code asks for. */
function Amount({ cents }: { cents: number | null }) {
  const { money } = useLocale();
  const { payerChooses } = useTexts().staticCodes;
  return <>{cents === null ? payerChooses : money(cents)}</>;
}

function CodeBadge({ isDeleted }: { isDeleted: boolean }) {
  const words = useTexts().staticCodes;
  return isDeleted ? (
    <Badge tone="quiet">{words.deleted}</Badge>
  ) : (
    <Badge tone="good">{words.active}</Badge>
  );
}
