import type {
  CashierCharge,
  Shift,
  ShiftSum,
  waitingOfShift,
} from "../../../../db/people/cashier-shifts.ts";
import { isoTime } from "../../../../domain/shared/clock.ts";
import { fill, type Texts, useLocale, useTexts } from "../../texts.ts";
import type { ApiProblem } from "../../api.ts";
import {
  ActionForm,
  Badge,
  Facts,
  Field,
  List,
  ProblemNotice,
  Section,
  type Tone,
} from "../../ui/parts.tsx";
import { Icon } from "../../../shared/look/icon.tsx";
import type { IconName } from "../../../shared/look/icons.ts";
import { QrCode } from "../../../shared/qr-code.tsx";

/** What a cashier needs to know of a charge. */
type Arrival = "waiting" | "arrived" | "over" | "returned";

const ICONS: Record<Arrival, IconName> = {
  waiting: "waiting",
  arrived: "good",
  over: "cancelled",
  returned: "needs-you",
};
const TONES: Record<Arrival, Tone> = {
  waiting: "open",
  arrived: "good",
  over: "quiet",
  returned: "bad",
};

function arrivalOf({ status }: CashierCharge): Arrival {
  if (status === "paid") return "arrived";
  if (status === "refunded") return "returned";
  return status === "creating" || status === "waiting_payment" ? "waiting" : "over";
}

/** Before a shift: one button. Who manages people (`maySet`) may put a shared counter up instead. */
export function ShiftStart(props: { idempotencyKey: string; maySet: boolean }) {
  const labels = useTexts().cashier;
  return (
    <>
      <p>{labels.noShift}</p>
      <ActionForm
        action="/console/cashier/open"
        idempotencyKey={props.idempotencyKey}
        submit={labels.open}
      />
      {props.maySet ? (
        <p class="hint">
          <a href="/console/team">{labels.shareDevice}</a>
        </p>
      ) : null}
    </>
  );
}

/** The counter: what to charge, and the newest charges of the cashier's own shift. */
export function Counter(props: {
  charges: CashierCharge[];
  amount: string;
  errors: string[];
  problem: ApiProblem | null;
  idempotencyKey: string;
}) {
  const { charges, amount, errors, problem, idempotencyKey } = props;
  const labels = useTexts().cashier;
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <div class="counter">
        <ActionForm
          action="/console/cashier/charges"
          idempotencyKey={idempotencyKey}
          submit={labels.charge}
        >
          <Field
            label={labels.amount}
            name="amount"
            value={amount}
            inputmode="decimal"
            autocomplete="off"
            required
            errors={errors}
          />
        </ActionForm>
      </div>
      <p class="counter-acts">
        <a class="button" href="/console/cashier/question">
          {labels.askShort}
        </a>
        <a class="button" href="/console/cashier/shift">
          {labels.closeShort}
        </a>
      </p>
      <Section title={labels.newest}>
        <Charges charges={charges} />
      </Section>
    </>
  );
}

function Charges({ charges }: { charges: CashierCharge[] }) {
  const { time, money } = useLocale();
  const labels = useTexts().cashier;
  return (
    <List
      caption={labels.newest}
      rows={charges}
      empty={<p>{labels.none}</p>}
      columns={[
        {
          heading: labels.madeAt,
          place: "title",
          cell: ({ id, createdAt }) => (
            <a href={`/console/cashier/charges/${id}`}>{time(isoTime(createdAt))}</a>
          ),
        },
        {
          heading: labels.status,
          place: "state",
          cell: (charge) => <ArrivalBadge charge={charge} />,
        },
        {
          heading: labels.amount,
          place: "amount",
          isNumber: true,
          cell: ({ amount }) => money(amount),
        },
      ]}
    />
  );
}

function ArrivalBadge({ charge }: { charge: CashierCharge }) {
  const labels = useTexts().cashier;
  const arrival = arrivalOf(charge);
  return <Badge tone={TONES[arrival]}>{labels.arrivals[arrival]}</Badge>;
}

/**
 * Whether a charge's money arrived, to be seen from a step away; the script asks again while the page is seen, counts
 * the seconds, and sounds once it arrived. Each state has one text, so that an unchanged one is not said again.
 */
export function ArrivalState({ charge }: { charge: CashierCharge }) {
  const { exactTime, money } = useLocale();
  const labels = useTexts().cashier;
  const arrival = arrivalOf(charge);
  const { id, paidAt, createdAt, payerName } = charge;
  return (
    <div class="list" data-refresh={`/console/cashier/charges/${id}/status`} aria-live="assertive">
      <div class={`arrival ${arrival}`} data-arrival={arrival}>
        <p class="arrival-state">
          <Icon name={ICONS[arrival]} />
          {labels.arrivals[arrival]}
        </p>
        <p class="arrival-amount">{money(paidAt === null ? charge.amount : charge.paidAmount)}</p>
        {paidAt === null ? null : (
          <>
            <p class="arrival-payer">{payerOf(payerName, labels)}</p>
            <p>
              {fill(labels.paidAfter, {
                at: exactTime(isoTime(paidAt)),
                seconds: String(Math.max(0, Math.round((paidAt - createdAt) / 1_000))),
              })}
            </p>
          </>
        )}
        {arrival === "over" ? null : (
          <p class="arrival-ago" aria-hidden="true">
            <Ago since={paidAt ?? createdAt} />
          </p>
        )}
      </div>
    </div>
  );
}

/** How long ago something was; only the script can tell, and puts it in the place of the star. */
function Ago({ since }: { since: number }) {
  const text = fill(useTexts().cashier.ago, { time: "*" });
  return <span data-since={String(since)} data-text={text}></span>;
}

/** The first letters of a payer's names: enough to compare with the person at the counter, too little to keep. */
function payerOf(name: string | null, labels: Texts["cashier"]): string {
  const words = name?.trim().split(/\s+/).filter(Boolean) ?? [];
  if (words.length === 0) return labels.payerUnknown;
  const initials = words.map((word) => `${word.slice(0, 1)}.`).join(" ");
  return fill(labels.paidBy, { initials });
}

/** One charge at the counter: the state, and the code while it waits. `nowMs` is the server's time. */
export function ChargeAtCounter({ charge, nowMs }: { charge: CashierCharge; nowMs: number }) {
  const texts = useTexts();
  const labels = texts.cashier;
  const isWaiting = arrivalOf(charge) === "waiting";
  return (
    <div data-now={String(nowMs)}>
      <ArrivalState charge={charge} />
      {isWaiting && charge.qrcode !== null ? (
        <div class="counter-code">
          <QrCode code={charge.qrcode} label={labels.qr} />
          <p>
            <button type="button" data-copy={charge.qrcode} data-copied={texts.shell.copied}>
              {labels.copy}
            </button>
          </p>
          <p class="hint">{labels.soundHint}</p>
        </div>
      ) : null}
      <p class="counter-acts">
        <a class="button primary" href="/console/cashier">
          {labels.next}
        </a>
      </p>
      <script src="/console/assets/cashier.js" defer></script>
    </div>
  );
}

/** A shift's sums by method, to be printed; and the button that closes it while it is open. */
export function ShiftSums(props: {
  shift: Shift;
  company: string;
  cashier: string;
  sums: ShiftSum[];
  waiting: Awaited<ReturnType<typeof waitingOfShift>>;
  idempotencyKey: string;
}) {
  const { dateTime, money } = useLocale();
  const labels = useTexts().cashier;
  const { shift, company, cashier, sums, waiting, idempotencyKey } = props;
  const total = sums.reduce((sum, { amount }) => sum + amount, 0);
  const isOpen = shift.closedAt === null;
  return (
    <>
      <Facts
        of={[
          [labels.company, company],
          [labels.cashier, cashier],
          [labels.openedAt, dateTime(isoTime(shift.openedAt))],
          [labels.closedAt, shift.closedAt === null ? null : dateTime(isoTime(shift.closedAt))],
          [labels.total, <strong>{money(total)}</strong>],
        ]}
      />
      <List
        caption={labels.sums}
        rows={sums}
        empty={<p>{labels.noneTaken}</p>}
        columns={[
          { heading: labels.method, cell: ({ paymentMethod }) => labels.methods[paymentMethod] },
          { heading: labels.payments, isNumber: true, cell: ({ payments }) => String(payments) },
          { heading: labels.taken, isNumber: true, cell: ({ amount }) => money(amount) },
        ]}
      />
      {isOpen && waiting.charges > 0 ? (
        <p class="notice open">
          {fill(labels.stillWaiting, { count: waiting.charges, amount: money(waiting.amount) })}
        </p>
      ) : null}
      {isOpen ? (
        <ActionForm
          action="/console/cashier/close"
          idempotencyKey={idempotencyKey}
          submit={labels.close}
        >
          <input type="hidden" name="shift" value={shift.id} />
        </ActionForm>
      ) : (
        <PrintButton text={labels.print} />
      )}
      <BackToCounter />
    </>
  );
}

/** Back to where one charges: a shared counter has no menu. */
export function BackToCounter() {
  return (
    <p class="counter-acts">
      <a class="button" href="/console/cashier">
        {useTexts().cashier.back}
      </a>
    </p>
  );
}

/** Prints the page; shown by the script, without which the browser's own menu does it. */
function PrintButton({ text }: { text: string }) {
  return (
    <p class="counter-acts">
      <button type="button" class="button" data-print="" hidden>
        {text}
      </button>
    </p>
  );
}
