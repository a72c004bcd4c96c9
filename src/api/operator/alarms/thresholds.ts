import { expiryOf } from "../../../db/watch/providers.ts";
import { MINUTE } from "../../../db/watch/heartbeats.ts";
import { isFilling, percentFull } from "../../../domain/storage/storage-limits.ts";
import type { ServiceFigures } from "../status/figures.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Every threshold, in milliseconds. */
const AFTER = {
  taskSilent: 10 * MINUTE_MS,
  pspFailing: 5 * MINUTE_MS,
  accessEndsSoon: 30 * DAY_MS,
  accessEndsNow: 7 * DAY_MS,
  deliveryLate: 15 * MINUTE_MS,
  callbackLate: 15 * MINUTE_MS,
  outboxLate: 10 * MINUTE_MS,
  payoutUndecided: 30 * MINUTE_MS,
  databaseSlow: 2 * SECOND_MS,
} as const;

type Severity = "critical" | "warning";

/** One thing that can be wrong. `docs/runbook/<id>.md` says what to do. */
export interface Alarm {
  id: string;
  /** `critical`: wake somebody. `warning`: the same day. */
  severity: Severity;
  /** What is wrong now, each a sentence of its own; empty if nothing is. */
  findings: (figures: ServiceFigures) => string[];
}

const minutes = (ms: number) => `${Math.floor(ms / MINUTE_MS)} min`;

/** `what` and its age, if it is older than the limit. */
function olderThan(figures: ServiceFigures, since: number | null, limitMs: number, what: string) {
  return since === null || figures.at - since <= limitMs
    ? []
    : [`${what} has waited for ${minutes(figures.at - since)}.`];
}

function endingAccess(figures: ServiceFigures, from: number, until: number): string[] {
  return figures.expiring
    .filter((account) => {
      const left = expiryOf(account) - figures.at;
      return left > from && left <= until;
    })
    .map((account) => {
      const end = new Date(expiryOf(account)).toISOString();
      return `Access of company ${account.companyId} to ${account.host} ends at ${end}.`;
    });
}

/** Every alarm, the most urgent first. */
export const ALARMS: readonly Alarm[] = [
  {
    id: "ledger_violated",
    severity: "critical",
    findings: ({ failing }) =>
      failing
        .filter(({ acknowledged }) => acknowledged === null)
        .map(({ companyId, violations }) => `Company ${companyId}: ${violations.join("; ")}`),
  },
  {
    id: "psp_failing",
    severity: "critical",
    findings: ({ at, failingAccounts, providers }) =>
      failingAccounts
        .filter(({ failingSince }) => at - (failingSince ?? at) >= AFTER.pspFailing)
        .map(({ companyId, account, host, failingSince }) => {
          const last = providers.find((each) => each.host === host);
          const trace = last?.lastFaultTrace == null ? "" : `, trace ${last.lastFaultTrace}`;
          const why =
            last?.lastFault == null
              ? ""
              : ` Last fault: ${last.lastFaultCall}, ${last.lastFault}${trace}.`;
          return `${host} has failed for company ${companyId} (account ${account}) for ${minutes(at - (failingSince ?? at))}.${why}`;
        }),
  },
  {
    id: "payout_undecided",
    severity: "critical",
    findings: ({ at, undecidedPayouts }) =>
      undecidedPayouts
        .filter(({ since }) => at - since > AFTER.payoutUndecided)
        .map(
          ({ companyId, withdrawId, since }) =>
            `Withdraw ${withdrawId} of company ${companyId} is undecided for ${minutes(at - since)}.`,
        ),
  },
  {
    id: "outbox_late",
    severity: "critical",
    findings: (figures) =>
      olderThan(figures, figures.oldest.outboxEntry, AFTER.outboxLate, "A change for D1"),
  },
  {
    id: "database_silent",
    severity: "critical",
    findings: ({ databases }) =>
      databases
        .filter(({ latencyMs }) => latencyMs === null)
        .map(({ name }) => `${name} does not answer.`),
  },
  {
    id: "access_ended",
    severity: "critical",
    findings: (figures) => endingAccess(figures, -Infinity, AFTER.accessEndsNow),
  },
  {
    id: "cron_task_silent",
    severity: "critical",
    findings: ({ at, heartbeats }) =>
      heartbeats
        .filter(({ task }) => task !== MINUTE)
        .filter(({ lastSuccessAt, lastErrorAt, lastStartAt }) => {
          const since = lastSuccessAt ?? Math.min(lastErrorAt ?? lastStartAt, lastStartAt);
          return at - since > AFTER.taskSilent;
        })
        .map(({ task, lastSuccessAt, lastError }) => {
          const since = lastSuccessAt === null ? "ever" : `for ${minutes(at - lastSuccessAt)}`;
          return `${task} has not succeeded ${since}.${lastError === null ? "" : ` Last error: ${lastError}`}`;
        }),
  },
  {
    id: "psp_behind",
    severity: "warning",
    findings: ({ latePasses }) =>
      latePasses.map(
        ({ companyId, account, list, pass }) =>
          `The pass ${pass} over ${list} of company ${companyId} (account ${account}) is late.`,
      ),
  },
  {
    id: "callback_late",
    severity: "warning",
    findings: (figures) =>
      olderThan(figures, figures.oldest.callback, AFTER.callbackLate, "A PSP's callback"),
  },
  {
    id: "delivery_late",
    severity: "warning",
    findings: (figures) =>
      olderThan(figures, figures.oldest.delivery, AFTER.deliveryLate, "A due webhook delivery"),
  },
  {
    id: "receiver_failing",
    severity: "warning",
    findings: ({ at, receivers }) =>
      receivers.map(
        ({ companyId, host, since, failure }) =>
          `${host} of company ${companyId} has refused webhooks for ${minutes(at - since)}: ${failure}.`,
      ),
  },
  {
    id: "dead_letters",
    severity: "warning",
    findings: ({ deadLetters: { open } }) =>
      open === 0 ? [] : ["Messages wait in the dead-letter table."],
  },
  {
    id: "contradiction_open",
    severity: "warning",
    findings: ({ contradictions }) => {
      // A payment set aside is everyday work of the merchant.
      const open = contradictions.filter(({ kind }) => kind !== "payment_set_aside");
      return open.length === 0 ? [] : ["A provider and the ledger do not agree."];
    },
  },
  {
    id: "settings_loosened",
    severity: "warning",
    findings: ({ loosened }) =>
      loosened.map(({ companyId, applicationId, field, effectiveAt }) => {
        const whose = applicationId === null ? "" : ` of application ${applicationId}`;
        const from = new Date(effectiveAt).toISOString();
        return `Company ${companyId} loosens ${field}${whose} from ${from}.`;
      }),
  },
  {
    id: "operators_changed",
    severity: "warning",
    findings: ({ givings }) =>
      givings.map(({ to, by, what, at }) => {
        const verb = what === "added" ? "added" : `gave a ${what} to`;
        return `Operator ${by} ${verb} operator ${to} at ${new Date(at).toISOString()}.`;
      }),
  },
  {
    id: "access_ending",
    severity: "warning",
    findings: (figures) => endingAccess(figures, AFTER.accessEndsNow, AFTER.accessEndsSoon),
  },
  {
    id: "database_filling",
    severity: "warning",
    findings: ({ databases }) =>
      databases
        .filter(({ bytes }) => bytes !== null && isFilling(bytes))
        .map(({ name, bytes }) => `${name} is ${percentFull(bytes ?? 0)} % full.`),
  },
  {
    id: "database_slow",
    severity: "warning",
    findings: ({ databases }) =>
      databases
        .filter(({ latencyMs }) => latencyMs !== null && latencyMs > AFTER.databaseSlow)
        .map(({ name, latencyMs }) => `${name} answered after ${latencyMs} ms.`),
  },
];
