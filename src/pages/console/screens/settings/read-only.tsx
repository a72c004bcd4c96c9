import type { getOwnTerms } from "../../../../api/settings/routes.ts";
import { PAYMENT_METHODS } from "../../../../domain/charges/charge-status.ts";
import { FEE_KINDS, type FeeKind } from "../../../../domain/ledger/fees.ts";
import { whatIsFrozen } from "../../format.ts";
import type { RouteBody } from "../../route-types.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { Facts, List, Section } from "../../ui/parts.tsx";
import { PendingSettings } from "./pending.tsx";
import { LIMITS, type Settings } from "./fields.ts";

/** Basis points of the whole. */
const WHOLE = 10_000;

/** Centavos. */
type AgreedTerms = RouteBody<typeof getOwnTerms>;

/** The settings for a role that does not change them. */
export function ReadOnlySettings({ settings, terms }: { settings: Settings; terms: AgreedTerms }) {
  const { money } = useLocale();
  const words = useTexts().settings;
  const { policy } = words;
  const onOff = (isOn: boolean) => (isOn ? policy.on : policy.off);
  const { enforced, coolDownHours } = settings.allowedPixKeys;
  const { retentionDays: days } = settings;
  return (
    <>
      <p>{words.readOnly}</p>
      <Section title={policy.title}>
        <PendingSettings pending={settings.pending} mayRefuse={false} />
        <Facts
          of={[
            [policy.fields.duplicateWithdrawGuard, onOff(settings.duplicateWithdrawGuard)],
            ...LIMITS.map((name): [string, string] => {
              const limit = settings[name];
              return [policy.fields[name], limit === null ? policy.none : money(limit)];
            }),
            [policy.fields.enforced, onOff(enforced)],
            [policy.fields.coolDownHours, String(coolDownHours)],
          ]}
        />
      </Section>
      <Section title={words.terms.title}>
        <TermsTable terms={terms} />
      </Section>
      <Section title={words.retention.title}>
        <p>{days === null ? words.retention.never : fill(words.retention.shown, { days })}</p>
      </Section>
    </>
  );
}

/** Fees and release days as agreed with the operator. */
export function TermsTable({ terms }: { terms: AgreedTerms }) {
  const { percent, money } = useLocale();
  const words = useTexts().settings.terms;
  const released = (kind: FeeKind) => {
    const method = PAYMENT_METHODS.find((each) => each === kind);
    if (method === undefined) return "–";
    const days = terms.releaseDays[method];
    return days === 0 ? words.atOnce : fill(words.inDays, { days });
  };
  return (
    <>
      <List
        caption={words.title}
        rows={FEE_KINDS}
        empty={null}
        columns={[
          { heading: words.kind, cell: (kind) => words.kinds[kind] },
          {
            heading: words.percentOf,
            isNumber: true,
            cell: (kind) => percent(terms.fees[kind].basisPoints / WHOLE, 2),
          },
          {
            heading: words.perPayment,
            isNumber: true,
            cell: (kind) => money(terms.fees[kind].fixed),
          },
          { heading: words.daysOf, isNumber: true, cell: released },
        ]}
      />
      <Facts
        of={[
          [words.minimumWithdraw, money(terms.minimumWithdraw)],
          [words.frozen, terms.frozen ? <Frozen freeze={terms.freeze} /> : null],
        ]}
      />
    </>
  );
}

/** What is frozen, since when and why; one of before causes were stored says only that it is. */
function Frozen({ freeze }: Pick<AgreedTerms, "freeze">) {
  const { dateTime } = useLocale();
  const words = useTexts().settings.terms;
  if (freeze === null) return <>{words.isFrozen}</>;
  const { since, reason } = freeze;
  const what = whatIsFrozen(freeze, words);
  return <>{fill(words.frozenSince, { what, since: dateTime(since), reason })}</>;
}
