import type { getStaticCode } from "../../../../api/pix/static-codes/routes.ts";
import type { ApiProblem } from "../../api.ts";
import { dateTime, money } from "../../format.ts";
import type { RouteBody } from "../../route-types.ts";
import type { Language, Texts } from "../../texts.ts";
import { ActionForm, Badge, Facts, Field, List, ProblemNotice, Section } from "../../ui/parts.tsx";
import type { Form } from "../answers.tsx";
import { QrCode } from "../../../shared/qr-code.tsx";
import { Copyable } from "../payment/how-to-pay.tsx";

const PATH = "/console/static-codes";

/** `amount` in centavos; null where the payer chooses. */
export type StaticCode = RouteBody<typeof getStaticCode>["data"];

interface Words {
  texts: Texts;
  language: Language;
}

/** The company's codes, newest first. */
export function CodeList({ items, texts, language }: Words & { items: StaticCode[] }) {
  const words = texts.staticCodes;
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
        { heading: words.createdAt, cell: ({ createdAt }) => dateTime(createdAt, language) },
        {
          heading: words.status,
          cell: ({ deletedAt }) => <CodeBadge isDeleted={deletedAt !== null} texts={texts} />,
        },
        {
          heading: words.amount,
          isNumber: true,
          cell: ({ amount }) => amountText(amount, { texts, language }),
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
  texts: Texts;
}) {
  const { form, problem, isAmountWrong, idempotencyKey, texts } = props;
  const words = texts.staticCodes;
  return (
    <Section title={words.new}>
      {problem === null ? null : <ProblemNotice problem={problem} texts={texts} />}
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
export function CodeFacts(props: Words & { code: StaticCode; mayDelete: boolean }) {
  const { code, mayDelete, texts, language } = props;
  const words = texts.staticCodes;
  return (
    <>
      <Section title={code.description === "" ? words.unnamed : code.description}>
        <div class="pay">
          <QrCode code={code.qrcode} label={words.qr} />
          <div>
            <Facts
              of={[
                [words.amount, amountText(code.amount, { texts, language })],
                [words.createdAt, dateTime(code.createdAt, language)],
                [words.status, <CodeBadge isDeleted={code.deletedAt !== null} texts={texts} />],
              ]}
            />
            <Copyable id="code" label={words.code} value={code.qrcode} texts={texts} />
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

/** What a code asks for. Centavos. */
function amountText(amount: number | null, { texts, language }: Words): string {
  return amount === null ? texts.staticCodes.payerChooses : money(amount, language);
}

function CodeBadge({ isDeleted, texts }: { isDeleted: boolean; texts: Texts }) {
  const words = texts.staticCodes;
  return isDeleted ? (
    <Badge tone="quiet">{words.deleted}</Badge>
  ) : (
    <Badge tone="good">{words.active}</Badge>
  );
}
