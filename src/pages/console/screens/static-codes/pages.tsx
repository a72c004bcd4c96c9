import type { getStaticCode } from "../../../../api/pix/static-codes/routes.ts";
import type { ApiProblem } from "../../api.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { Empty } from "../../ui/empty.tsx";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { ActionForm, Badge, Facts, Field, List, ProblemNotice, Section } from "../../ui/parts.tsx";
import { SendPanel } from "../../ui/send-panel.tsx";
import type { Form } from "../answers.tsx";
import { QrCode } from "../../../shared/qr-code.tsx";
import { Copyable } from "../payment/how-to-pay.tsx";

const PATH = "/console/static-codes";

/** `amount` in centavos; null where the payer chooses. */
export type StaticCode = RouteBody<typeof getStaticCode>["data"];

/** The company's codes, newest first. */
export function CodeList({ items }: { items: StaticCode[] }) {
  const { dateTime } = useLocale();
  const labels = useTexts().staticCodes;
  return (
    <List
      caption={labels.title}
      rows={items}
      empty={<Empty icon="qr-code">{labels.none}</Empty>}
      columns={[
        {
          heading: labels.description,
          cell: (code) => (
            <a href={`${PATH}/${code.id}`}>
              {code.description === "" ? labels.unnamed : code.description}
            </a>
          ),
        },
        { heading: labels.createdAt, cell: ({ createdAt }) => dateTime(createdAt) },
        {
          heading: labels.status,
          cell: ({ deletedAt }) => <CodeBadge isDeleted={deletedAt !== null} />,
        },
        {
          heading: labels.amount,
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
  const labels = useTexts().staticCodes;
  return (
    <Section title={labels.new}>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <ActionForm action={PATH} idempotencyKey={idempotencyKey} submit={labels.make}>
        <Field
          label={labels.description}
          name="description"
          value={form["description"] ?? ""}
          hint={labels.descriptionHint}
          errors={problem?.errors?.["description"]}
        />
        <Field
          label={labels.amount}
          name="amount"
          value={form["amount"] ?? ""}
          hint={labels.amountHint}
          inputmode="decimal"
          errors={isAmountWrong ? [labels.amountWrong] : problem?.errors?.["amount"]}
        />
      </ActionForm>
    </Section>
  );
}

/** One code: to show, copy, print or delete. */
export function CodeFacts(props: { code: StaticCode; company: string; mayDelete: boolean }) {
  const { code, company, mayDelete } = props;
  const { dateTime } = useLocale();
  const texts = useTexts();
  const labels = texts.staticCodes;
  return (
    <>
      <Section title={code.description === "" ? labels.unnamed : code.description}>
        <div class="pay">
          <QrCode code={code.qrcode} label={labels.qr} />
          <div>
            <Facts
              of={[
                [labels.amount, <Amount cents={code.amount} />],
                [labels.createdAt, dateTime(code.createdAt)],
                [labels.status, <CodeBadge isDeleted={code.deletedAt !== null} />],
              ]}
            />
            <Copyable id="code" label={labels.code} value={code.qrcode} />
            <p class="actions">
              <a class="button primary" href={`${PATH}/${code.id}/print`}>
                {labels.print}
              </a>
              <a class="button" href="/console/cashier">
                {texts.menu.cashier}
              </a>
            </p>
          </div>
        </div>
      </Section>
      {code.deletedAt === null ? <SendCode code={code} company={company} /> : null}
      {mayDelete ? (
        <Section title={labels.delete}>
          <p>{labels.deleteHint}</p>
          <form method="post" action={`${PATH}/${code.id}/delete`}>
            <button type="submit" class="danger">
              {labels.delete}
            </button>
          </form>
        </Section>
      ) : null}
    </>
  );
}

/** The ways to send a code: it has no page of its own, so the message holds it. */
function SendCode({ code, company }: { code: StaticCode; company: string }) {
  const { money } = useLocale();
  const { send: labels } = useTexts().payment;
  const { amount, description, qrcode, id } = code;
  const values = {
    company,
    amount: amount === null ? "" : money(amount),
    purpose: description,
    address: qrcode,
  };
  return (
    <SendPanel
      message={fill(amount === null ? labels.messageOpen : labels.messageCode, values)}
      subject={fill(labels.subjectOpen, values)}
      url={null}
      qrImage={`${PATH}/${id}/qr.png`}
      print={null}
    />
  );
}

/** What a code asks for. */
function Amount({ cents }: { cents: number | null }) {
  const { money } = useLocale();
  const { payerChooses } = useTexts().staticCodes;
  return <>{cents === null ? payerChooses : money(cents)}</>;
}

function CodeBadge({ isDeleted }: { isDeleted: boolean }) {
  const labels = useTexts().staticCodes;
  return isDeleted ? (
    <Badge tone="quiet">{labels.deleted}</Badge>
  ) : (
    <Badge tone="good">{labels.active}</Badge>
  );
}
