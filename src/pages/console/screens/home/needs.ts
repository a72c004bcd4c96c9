import { listDisputes } from "../../../../api/disputes/routes.ts";
import { listUnexpectedPayments } from "../../../../api/payments/routes.ts";
import { listWaitingRefunds } from "../../../../api/refunds/routes.ts";
import { listCompanyProviders } from "../../../../api/settings/routes.ts";
import { getWebhookEndpoint } from "../../../../api/webhooks/endpoint/routes.ts";
import { searchWithdraws } from "../../../../api/withdraws/search/routes.ts";
import { reaisToCents } from "../../../../domain/shared/money.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import type { RouteRefusal } from "../../../../http/openapi/route-types.ts";
import { textsOf } from "../../texts.ts";
import { may } from "../answers.tsx";
import { takesEvidence } from "../disputes/deadline.ts";
import { disputePath } from "../disputes/dispute.ts";
import { PROVIDERS_PATH } from "../providers/routes.tsx";
import { PAYMENTS_PATH } from "../unexpected-payments/payment.ts";
import { WEBHOOKS_PATH } from "../webhooks/webhook.ts";
import { companyNow } from "../../people/company-head.ts";

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const DAY_MS = DAY_HOURS * HOUR_MS;
/** The end of an access to a bank is shown this long before. */
const ACCESS_SHOWN_MS = 30 * DAY_MS;
/** How many of each kind are ranked: those of a company that has more are all urgent. */
const RANKED_MAX = 100;
/** What has no end counts as if it were lost in a month. */
const ENDLESS_HOURS = 30 * DAY_HOURS;
/** The last hour counts whole. */
const HOURS_MIN = 1;
/** A host that fails this long is switched off. */
const HOST_OFF_AFTER_MS = 5 * DAY_MS;

/** Something that a person must decide, and the page that ends it. */
export interface Need {
  kind: "withdraw" | "refund" | "dispute" | "unexpected" | "webhook" | "access";
  /** What it is about: who asks, who paid, which server; null where nobody says. */
  subject: string | null;
  path: string;
  /** Centavos at risk; null where they are not known. */
  amount: number | null;
  /** When it ends by itself, Unix milliseconds; null if it does not. */
  endsAt: number | null;
  /** Centavos an hour, which rank it. */
  riskPerHour: number;
}

/** What waits for a person as far as the role may see it, by money at risk per hour. */
export async function needsOf(
  c: ConsoleContext,
  { grossPerHour }: { grossPerHour: number },
): Promise<Need[]> {
  const nowMs = companyNow(c);
  const needs = await Promise.all([
    may(c, "withdraws:read") ? withdraws(c, nowMs) : [],
    may(c, "transactions:read") ? refunds(c, nowMs) : [],
    may(c, "transactions:read") ? disputes(c, nowMs) : [],
    may(c, "transactions:read") ? unexpectedPayments(c, nowMs) : [],
    may(c, "webhooks:read") ? failingHosts(c, grossPerHour) : [],
    may(c, "balance:read") ? endingAccess(c, { grossPerHour, nowMs }) : [],
  ]);
  return needs.flat().toSorted((one, other) => other.riskPerHour - one.riskPerHour);
}

async function withdraws(c: ConsoleContext, nowMs: number): Promise<Need[]> {
  const { items } = await bodyOf(
    callRoute(c, searchWithdraws, {
      query: { status: "Awaiting", approval: "pending", limit: RANKED_MAX },
    }),
  );
  return items.map((item) =>
    ranked(
      {
        kind: "withdraw",
        subject: item.requestedBy?.name ?? null,
        path: `/console/withdraws/${item.id}`,
        amount: reaisToCents(item.value),
        endsAt: timeOf(item.approvalExpiresAt),
      },
      nowMs,
    ),
  );
}

async function refunds(c: ConsoleContext, nowMs: number): Promise<Need[]> {
  const { items } = await bodyOf(
    callRoute(c, listWaitingRefunds, { query: { approval: "pending", limit: RANKED_MAX } }),
  );
  return items.map((item) =>
    ranked(
      {
        kind: "refund",
        subject: item.requestedBy?.name ?? null,
        path: "/console/refunds",
        amount: item.amount,
        endsAt: timeOf(item.approvalExpiresAt),
      },
      nowMs,
    ),
  );
}

/** Open disputes that still take evidence: nothing can be done about the others. */
async function disputes(c: ConsoleContext, nowMs: number): Promise<Need[]> {
  const { items } = await bodyOf(
    callRoute(c, listDisputes, { query: { status: "open", limit: RANKED_MAX } }),
  );
  return items
    .filter((item) => takesEvidence(item, nowMs))
    .map(({ id, amount, deadline, reason }) =>
      ranked(
        {
          kind: "dispute",
          subject: textsOf(c).disputes.reasons[reason],
          path: disputePath(id),
          amount,
          endsAt: timeOf(deadline),
        },
        nowMs,
      ),
    );
}

async function unexpectedPayments(c: ConsoleContext, nowMs: number): Promise<Need[]> {
  const { items } = await bodyOf(
    callRoute(c, listUnexpectedPayments, { query: { status: "kept", limit: RANKED_MAX } }),
  );
  return items.map(({ id, amount, payer }) =>
    ranked(
      {
        kind: "unexpected",
        subject: payer?.name ?? null,
        path: may(c, "payments:write")
          ? `${PAYMENTS_PATH}/${encodeURIComponent(id)}/credit`
          : PAYMENTS_PATH,
        amount,
        endsAt: null,
      },
      nowMs,
    ),
  );
}

/** What comes in an hour is what the shop does not hear of. */
async function failingHosts(c: ConsoleContext, grossPerHour: number): Promise<Need[]> {
  const { failingHosts: hosts = [] } = await bodyOf(callRoute(c, getWebhookEndpoint));
  return hosts.map(({ host, failingSince, offSince }) => ({
    kind: "webhook",
    subject: host,
    path: WEBHOOKS_PATH,
    amount: null,
    endsAt: offSince === null ? Date.parse(failingSince) + HOST_OFF_AFTER_MS : null,
    riskPerHour: grossPerHour,
  }));
}

/** A certificate or credentials at a bank that end within a month: a day's receipts are lost before new ones are in. */
async function endingAccess(
  c: ConsoleContext,
  { grossPerHour, nowMs }: { grossPerHour: number; nowMs: number },
): Promise<Need[]> {
  const { items } = await bodyOf(callRoute(c, listCompanyProviders));
  return items.flatMap(({ host, certificateExpiresAt, credentialsExpireAt }) => {
    const ends = [timeOf(certificateExpiresAt), timeOf(credentialsExpireAt)];
    const endsAt = Math.min(...ends.map((end) => end ?? Infinity));
    if (endsAt - nowMs > ACCESS_SHOWN_MS) return [];
    const lost = Math.round(grossPerHour * DAY_HOURS);
    const need = { kind: "access" as const, subject: host, path: PROVIDERS_PATH, endsAt };
    return [{ ...ranked({ ...need, amount: lost }, nowMs), amount: lost === 0 ? null : lost }];
  });
}

function ranked(need: Omit<Need, "riskPerHour"> & { amount: number }, nowMs: number): Need {
  const hours = need.endsAt === null ? ENDLESS_HOURS : (need.endsAt - nowMs) / HOUR_MS;
  return { ...need, riskPerHour: need.amount / Math.max(HOURS_MIN, hours) };
}

function timeOf(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso);
}

/** An answer's body. Throws for a refusal: the role may read all that is asked for. */
async function bodyOf<Body>(
  answering: Promise<{ ok: true; body: Body } | RouteRefusal>,
): Promise<Body> {
  const answer = await answering;
  if (!answer.ok) throw new Error(`the API answers ${answer.status}: ${answer.body.detail}`);
  return answer.body;
}
