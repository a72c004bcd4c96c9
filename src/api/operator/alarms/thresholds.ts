import { expiryOf } from "../../../db/watch/providers.ts";
import { MINUTE } from "../../../db/watch/heartbeats.ts";
import type { ServiceFigures } from "../status/figures.ts";
import {
  databaseSilent,
  emailsGivenUp,
  filling,
  firstOf,
  quotas,
  type Finding,
} from "./findings.ts";

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
  paused: 30 * MINUTE_MS,
  archiveBehind: 10 * MINUTE_MS,
  oldRowsLate: 7 * DAY_MS,
} as const;

/** So many receivers that fail, and such a share of all, are no merchants' faults. */
const RECEIVERS_MIN = 10;
const RECEIVERS_SHARE = 0.2;

type Severity = "critical" | "warning";

/** One kind of thing that can be wrong. `docs/runbook/<id>.md` says what to do. */
export interface Alarm {
  id: string;
  /** `critical`: wake somebody. `warning`: the same day. */
  severity: Severity;
  /** Told once a day instead of at once: it concerns one merchant, of whom there may be thousands. */
  isDigest?: true;
  /** Null if that is not known, so that the alarm stays as it is. */
  findings: (figures: ServiceFigures) => Finding[] | null;
}

const minutes = (ms: number) => `${Math.floor(ms / MINUTE_MS)} min`;
const inDays = (ms: number) => `${Math.floor(ms / DAY_MS)} days`;

/** `what` and its age, if it is older than the limit. */
function olderThan(
  figures: ServiceFigures,
  since: number | null,
  limitMs: number,
  what: string,
): Finding[] {
  return since === null || figures.at - since <= limitMs
    ? []
    : [{ about: "oldest", text: `${what} has waited for ${minutes(figures.at - since)}.` }];
}

function endingAccess(figures: ServiceFigures, from: number, until: number): Finding[] {
  return figures.expiring
    .filter((account) => {
      const left = expiryOf(account) - figures.at;
      return left > from && left <= until;
    })
    .map((account) => {
      const { companyId, account: name, host } = account;
      const end = new Date(expiryOf(account)).toISOString();
      return {
        about: `company:${companyId} ${name}`,
        text: `Access of company ${companyId} to ${host} ends at ${end}.`,
      };
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
        .map(({ companyId, violations }) => ({
          about: `company:${companyId}`,
          text: `Company ${companyId}: ${violations.join("; ")}`,
        })),
  },
  {
    id: "service_paused",
    severity: "critical",
    findings: ({ at, pauses }) =>
      pauses &&
      [
        { about: "service", what: "The service", pause: pauses.service },
        ...Object.entries(pauses.companies).map(([id, pause]) => ({
          about: `company:${id}`,
          what: `Company ${id}`,
          pause,
        })),
      ].flatMap(({ about, what, pause }) => {
        if (pause === null || at - pause.since <= AFTER.paused) return [];
        const { since, by, reason } = pause;
        const text = `${what} is paused for ${minutes(at - since)} by ${by.name}: ${reason}`;
        return [{ about, text }];
      }),
  },
  {
    id: "binding_missing",
    severity: "critical",
    findings: ({ missingBindings }) =>
      missingBindings.map((name) => ({
        about: `binding:${name}`,
        text: `The Worker has no binding ${name}.`,
      })),
  },
  {
    id: "psp_unreadable",
    severity: "critical",
    findings: ({ lacking }) =>
      lacking.map(({ what, name, companyId, companies }) => {
        const whose = `${companies} connections to PSPs (company ${companyId} among them)`;
        const text =
          what === "key"
            ? `The secrets of ${whose} are sealed under the key ${name}, which is not in SECRETS_KEY.`
            : `${whose} need the certificate binding ${name}, which the Worker has not.`;
        return { about: `${what}:${name}`, text };
      }),
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
          return {
            about: `company:${companyId} ${account}`,
            text: `${host} has failed for company ${companyId} (account ${account}) for ${minutes(at - (failingSince ?? at))}.${why}`,
          };
        }),
  },
  {
    id: "payout_undecided",
    severity: "critical",
    findings: ({ at, undecidedPayouts }) =>
      undecidedPayouts
        .filter(({ since }) => at - since > AFTER.payoutUndecided)
        .map(({ companyId, withdrawId, since }) => ({
          about: `company:${companyId} withdraw:${withdrawId}`,
          text: `Withdraw ${withdrawId} of company ${companyId} is undecided for ${minutes(at - since)}.`,
        })),
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
        .map(({ name }) => databaseSilent(name)),
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
        .map(({ task, lastSuccessAt, lastStartAt, lastError }) => {
          const since = lastSuccessAt === null ? "ever" : `for ${minutes(at - lastSuccessAt)}`;
          const isStarted = at - lastStartAt <= AFTER.taskSilent;
          const start = isStarted
            ? ""
            : ", nor was it started: the cron or the queue `tasks` stands";
          const why = lastError === null ? "" : ` Last error: ${lastError}`;
          return {
            about: `task:${task}`,
            text: `${task} has not succeeded ${since}${start}.${why}`,
          };
        }),
  },
  {
    id: "archive_behind",
    severity: "warning",
    findings: ({ at, archive: { state, longest } }) =>
      state === "unknown"
        ? null
        : longest
            .filter(({ since }) => at - since > AFTER.archiveBehind)
            .map(({ companyId, since }) => ({
              about: `company:${companyId}`,
              text: `The archive lacks changes of company ${companyId} for ${minutes(at - since)}.`,
            })),
  },
  {
    id: "old_rows_late",
    severity: "warning",
    isDigest: true,
    findings: ({ at, archivedRows, archive: { state } }) =>
      Object.entries(archivedRows).flatMap(([kind, { lateSince }]) =>
        lateSince === null || state === "missing" || at - lateSince <= AFTER.oldRowsLate
          ? []
          : [
              {
                about: kind,
                text: `Old ${kind} should have left D1 for the archive for ${inDays(at - lateSince)}.`,
              },
            ],
      ),
  },
  {
    id: "archive_missing",
    severity: "warning",
    isDigest: true,
    findings: ({ archive: { state } }) =>
      state === "missing"
        ? [{ about: "binding:ARCHIVE", text: "No archive is bound: what D1 loses is lost." }]
        : [],
  },
  {
    id: "psp_quota",
    severity: "warning",
    findings: ({ nearQuota }) => nearQuota.flatMap(quotas),
  },
  {
    id: "psp_behind",
    severity: "warning",
    findings: ({ latePasses }) =>
      latePasses.map(({ companyId, account, list, pass }) => ({
        about: `company:${companyId} ${account} ${list} ${pass}`,
        text: `The pass ${pass} over ${list} of company ${companyId} (account ${account}) is late.`,
      })),
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
    id: "receivers_failing",
    severity: "critical",
    findings: ({ failingReceivers: { failing, all } }) =>
      failing >= RECEIVERS_MIN && failing >= all * RECEIVERS_SHARE
        ? [{ about: "receivers", text: `Of ${all} receivers of webhooks ${failing} fail.` }]
        : [],
  },
  {
    id: "receiver_failing",
    severity: "warning",
    isDigest: true,
    findings: ({ at, receivers }) =>
      receivers.map(({ companyId, host, since, failure }) => ({
        about: `company:${companyId} ${host}`,
        text: `${host} of company ${companyId} has refused webhooks for ${minutes(at - since)}: ${failure}.`,
      })),
  },
  {
    id: "copy_mended",
    severity: "warning",
    findings: ({ copies: { mended } }) =>
      mended.map(({ companyId, at, copies }) => ({
        about: `company:${companyId} ${at}`,
        text: `Company ${companyId}, rewritten at ${new Date(at).toISOString()}: ${firstOf(copies)}`,
      })),
  },
  {
    id: "dead_letters",
    severity: "warning",
    findings: ({ deadLetters: { open, oldestAt } }) => {
      const since = oldestAt === null ? "" : `, the oldest at ${new Date(oldestAt).toISOString()}`;
      const text = `Queues gave up messages${since}. Waiting in the dead-letter table: ${open}.`;
      return open === 0 ? [] : [{ about: "open", text }];
    },
  },
  {
    id: "emails_failed",
    severity: "warning",
    isDigest: true,
    findings: ({ emails }) => emailsGivenUp(emails),
  },
  {
    id: "contradiction_open",
    severity: "warning",
    findings: ({ contradictions }) => {
      // An unexpected payment is everyday work of the merchant.
      const open = contradictions.filter(({ kind }) => kind !== "payment_set_aside");
      return open.length === 0
        ? []
        : [{ about: "open", text: "A provider and the ledger do not agree." }];
    },
  },
  {
    id: "settings_loosened",
    severity: "warning",
    findings: ({ loosened }) =>
      loosened.map(({ companyId, applicationId, field, effectiveAt }) => {
        const whose = applicationId === null ? "" : ` of application ${applicationId}`;
        const from = new Date(effectiveAt).toISOString();
        return {
          about: `company:${companyId} ${applicationId ?? ""} ${field}`,
          text: `Company ${companyId} loosens ${field}${whose} from ${from}.`,
        };
      }),
  },
  {
    id: "operators_changed",
    severity: "warning",
    findings: ({ givings }) =>
      givings.map(({ to, by, what, at }) => {
        const verb = what === "added" ? "added" : `gave a ${what} to`;
        const when = new Date(at).toISOString();
        return {
          about: `operator:${to} ${what} ${at}`,
          text: `Operator ${by} ${verb} operator ${to} at ${when}.`,
        };
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
    findings: (figures) => figures.databases.flatMap((database) => filling(database, figures)),
  },
  {
    id: "database_slow",
    severity: "warning",
    findings: ({ databases }) =>
      databases
        .filter(({ latencyMs }) => latencyMs !== null && latencyMs > AFTER.databaseSlow)
        .map(({ name, latencyMs }) => ({
          about: `database:${name}`,
          text: `${name} answered after ${latencyMs} ms.`,
        })),
  },
];
