import { PLACE_OF_ALARM } from "../../../../../domain/figures/stuck-money.ts";
import { fill, useLocale, useTexts } from "../../../texts.ts";
import { Badge, List, Section } from "../../../ui/parts.tsx";
import { waited, type GatewayStatus } from "../status/view.ts";
import { Runbook } from "../status/watch.tsx";

interface StatusProps {
  status: GatewayStatus;
}

type Alarm = GatewayStatus["alarms"][number];

/** The first line: how many alarms fire, and the money that they put at risk. */
export function AtRisk({ status }: StatusProps) {
  const { money } = useLocale();
  const labels = useTexts().operatorHome;
  const alarms = firing(status);
  if (alarms.length === 0) {
    return (
      <p class="notice good" role="status">
        {labels.allWell}
      </p>
    );
  }
  const amount = alarms.reduce((sum, alarm) => sum + (riskOf(status, alarm) ?? 0), 0);
  return (
    <p class="notice bad" role="alert">
      <strong>{fill(labels.alarmsFire, { count: alarms.length, amount: money(amount) })}</strong>
    </p>
  );
}

/** The alarms that fire: the most money at risk first, then the critical ones, then the oldest. */
export function Alarms({ status }: StatusProps) {
  const { money, language } = useLocale();
  const texts = useTexts();
  const labels = texts.operatorWatch;
  const alarms = firing(status);
  if (alarms.length === 0) return null;
  const names: Record<string, string> = labels.names;
  return (
    <Section title={labels.alarms}>
      <List
        caption={labels.alarms}
        rows={alarms}
        empty={null}
        columns={[
          {
            heading: labels.alarm,
            cell: ({ id, severity }) => (
              <>
                <Badge tone={severity === "critical" ? "bad" : "open"}>
                  {labels.severities[severity]}
                </Badge>{" "}
                <strong>{names[id] ?? id}</strong>
              </>
            ),
          },
          {
            heading: texts.operatorHome.atRisk,
            isNumber: true,
            cell: (alarm) => {
              const amount = riskOf(status, alarm);
              return amount === null ? "–" : money(amount);
            },
          },
          {
            heading: texts.operatorHome.waits,
            cell: ({ since }) => waited(since, status.at, language),
          },
          { heading: labels.detail, cell: ({ detail }) => detail },
          { heading: labels.runbook, cell: ({ runbook }) => <Runbook page={runbook} /> },
        ]}
      />
    </Section>
  );
}

function firing(status: GatewayStatus): Alarm[] {
  const rank = ({ severity }: Alarm) => (severity === "critical" ? 0 : 1);
  const risk = (alarm: Alarm) => riskOf(status, alarm) ?? 0;
  return status.alarms
    .filter(({ resolvedAt }) => resolvedAt === null)
    .toSorted(
      (left, right) =>
        risk(right) - risk(left) ||
        rank(left) - rank(right) ||
        left.since.localeCompare(right.since),
    );
}

/** The money that an alarm puts at risk, in centavos; null if it puts none that is known. */
function riskOf({ moneyStuck }: GatewayStatus, { id }: Alarm): number | null {
  const place = PLACE_OF_ALARM[id];
  return moneyStuck.find((stuck) => stuck.place === place)?.amount ?? null;
}
