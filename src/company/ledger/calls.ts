import type { AnchoredHead, LedgerAnchor, SignedAnchor } from "../../domain/ledger/anchor.ts";
import type { Balances, LedgerHead } from "../../domain/ledger/balance.ts";
import type { EntryQuery } from "../../domain/ledger/entries/entry.ts";
import type { DayPeriod } from "../../domain/ledger/entries/month.ts";
import type { ForecastDay, ReleaseQuery } from "../../domain/ledger/release.ts";
import type { StatementQuery } from "../../domain/ledger/statement.ts";
import type { ReleaseCommands } from "../releases/release-commands.ts";
import type { ReleaseStore } from "../releases/release-store.ts";
import {
  commitAndDrain,
  commitWithoutReleases,
  find,
  fromClient,
  read,
} from "../runtime/declare-call.ts";
import type { AnchorStore } from "./anchor-store.ts";
import type { AuditPass } from "./audit.ts";
import type { CashAheadStore, DisputedHour, HourAmount } from "../releases/cash-ahead-store.ts";
import { runAuditStep, type AuditServices } from "./audit-step.ts";
import { ledgerPositionOf, type PositionServices } from "./ledger-position.ts";
import type { EntryStore } from "./entry-store.ts";
import type { LedgerStore } from "./ledger-store.ts";

interface Services extends AuditServices, PositionServices {
  stores: AuditServices["stores"] &
    PositionServices["stores"] & {
      anchors: AnchorStore;
      cashAhead: CashAheadStore;
      entries: EntryStore;
      ledger: LedgerStore;
      releases: ReleaseStore;
    };
  releases: ReleaseCommands;
}

/** The balances, the ledger's newest movement, and its newest anchor (null before the first). */
interface BalancesAnswer {
  balances: Balances;
  head: LedgerHead;
  anchor: LedgerAnchor | null;
}

/** What the object knows of the money of the next days. Centavos. */
interface CashAhead {
  available: number;
  owed: number;
  payout: number;
  releases: ForecastDay[];
  expiringApprovals: HourAmount[];
  disputes: DisputedHour[];
  wonDisputes: HourAmount[];
}

interface AnnounceAnchor {
  companyId: number;
  head: SignedAnchor;
}

interface AuditLedger {
  companyId: number;
  pass: AuditPass;
  fromStart: boolean;
  /** Heads that the ledger must still have; none by default. */
  anchors?: AnchoredHead[];
}

/** The calls about the ledger. */
export const ledgerCalls = {
  balances: fromClient(
    read(({ stores, releases }: Services, _: void): BalancesAnswer => ({
      balances: releases.balances(),
      head: stores.ledger.head(),
      anchor: stores.anchors.newest(),
    })),
  ),

  /** `available` after the last movement up to a time, in centavos. */
  availableAt: fromClient(
    read(({ stores }: Services, timeMs: number) => stores.ledger.availableAt(timeMs)),
  ),

  /** Credits to be released, by day. */
  forecast: fromClient(read(({ stores }: Services, _: void) => stores.releases.forecast())),

  /** The balances, and what changes them by itself up to a time (epoch ms), summed up. */
  cashAhead: fromClient(
    read(({ stores }: Services, until: number): CashAhead => {
      const { available, payout } = stores.ledger.balances();
      return {
        available,
        owed: stores.ledger.debt(),
        payout,
        releases: stores.releases.forecast(),
        expiringApprovals: stores.cashAhead.expiringApprovals(until),
        disputes: stores.cashAhead.openDisputes(until),
        wonDisputes: stores.cashAhead.wonDisputes(until),
      };
    }),
  ),

  /** The credits of a period that await release, earliest first. */
  pendingReleases: fromClient(
    read(({ stores }: Services, query: ReleaseQuery) => stores.releases.page(query)),
  ),

  statement: read(({ stores }: Services, query: StatementQuery) => stores.ledger.statement(query)),

  /** A period's things that happened, newest first. */
  statementEntries: read(({ stores }: Services, query: EntryQuery) => stores.entries.page(query)),

  /** The sums of days, in centavos. */
  statementSums: read(({ stores }: Services, days: DayPeriod) => stores.entries.sums(days)),

  ledgerPosition: find((services: Services, _: void) => ledgerPositionOf(services)),

  /** The newest movement's number and hash, which anchors store; zeros before the first. */
  ledgerHead: find(({ stores }: Services, _: void) => stores.ledger.newestHead()),

  announceAnchor: commitAndDrain(({ stores }: Services, { head }: AnnounceAnchor, now) =>
    stores.anchors.recordAndAnnounce(head, now),
  ),

  /**
   * Runs one bounded step of the audit. Wrong balances freeze the company; its charges
   * continue, because money that was received must be booked.
   */
  auditLedger: commitWithoutReleases(
    (services: Services, { pass, fromStart, anchors = [] }: AuditLedger, now) =>
      runAuditStep(services, { pass, fromStart, anchors }, now),
  ),
};
