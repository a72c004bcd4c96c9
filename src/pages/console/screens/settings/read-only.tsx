import type { getOwnTerms } from "../../../../api/settings/routes.ts";
import { PAYMENT_METHODS } from "../../../../domain/charges/charge-status.ts";
import { FEE_KINDS, type FeeKind } from "../../../../domain/ledger/fees.ts";
import { whatIsFrozen } from "../../format.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
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
  const labels = useTexts().settings;
  const { policy } = labels;
  const onOff = (isOn: boolean) => (isOn ? policy.on : policy.off);
  const { enforced, coolDownHours } = settings.allowedPixKeys;
  const { retentionDays: days } = settings;
  return (
    <>
      <p>{labels.readOnly}</p>
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
      <Section title={labels.terms.title}>
        <TermsTable terms={terms} />
      </Section>
      <Section title={labels.retention.title}>
        <p>{days === null ? labels.retention.never : fill(labels.retention.shown, { days })}</p>
      </Section>
    </>
  );
}

/** Fees and release days as agreed with the operator. */
export function TermsTable({ terms }: { terms: AgreedTerms }) {
  const { percent, money } = useLocale();
  const labels = useTexts().settings.terms;
  const released = (kind: FeeKind) => {
    const method = PAYMENT_METHODS.find((each) => each === kind);
    if (method === undefined) return "–";
    const days = terms.releaseDays[method];
    return days === 0 ? labels.atOnce : fill(labels.inDays, { days });
  };
  return (
    <>
      <List
        caption={labels.title}
        rows={FEE_KINDS}
        empty={null}
        columns={[
          { heading: labels.kind, cell: (kind) => labels.kinds[kind] },
          {
            heading: labels.percentOf,
            isNumber: true,
            cell: (kind) => percent(terms.fees[kind].basisPoints / WHOLE, 2),
          },
          {
            heading: labels.perPayment,
            isNumber: true,
            cell: (kind) => money(terms.fees[kind].fixed),
          },
          { heading: labels.daysOf, isNumber: true, cell: released },
        ]}
      />
      <Facts
        of={[
          [labels.minimumWithdraw, money(terms.minimumWithdraw)],
          [labels.frozen, terms.frozen ? <Frozen freeze={terms.freeze} /> : null],
        ]}
      />
    </>
  );
}

/** What is frozen, since when and why; one of before causes were stored says only that it is. */
function Frozen({ freeze }: Pick<AgreedTerms, "freeze">) {
  const { dateTime } = useLocale();
  const labels = useTexts().settings.terms;
  if (freeze === null) return <>{labels.isFrozen}</>;
  const { since, reason } = freeze;
  const what = whatIsFrozen(freeze, labels);
  return <>{fill(labels.frozenSince, { what, since: dateTime(since), reason })}</>;
}
