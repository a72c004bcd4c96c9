import type { MovementType } from "../../domain/ledger/ledger.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import {
  after,
  commit,
  commitAndDrain,
  commitIfCurrent,
  commitIfCurrentAndDrain,
  commitInGroup,
  declare,
  find,
  fromClient,
  type Opened,
} from "../runtime/declare-call.ts";
import type { AllowedPixKeyCommands } from "./allowed-pix-key-commands.ts";
import type { AllowedPixKeyStore } from "./allowed-pix-key-store.ts";
import type { ApprovalCommands } from "./approval-commands.ts";
import type {
  AddAllowedPixKey,
  DecideWithdraw,
  PayoutPollResult,
  RequestWithdraw,
  WithdrawPreviewAnswer,
  WithdrawQuery,
} from "./command-types.ts";
import type { PayoutCommands } from "./payout-commands.ts";
import type { VersionGate } from "../runtime/version-gate.ts";
import type { WithdrawCommands } from "./withdraw-commands.ts";
import type { WithdrawStore } from "./withdraw-store.ts";

interface Services {
  stores: { ledger: LedgerStore; withdraws: WithdrawStore; allowedPixKeys: AllowedPixKeyStore };
  withdraws: WithdrawCommands;
  approvals: ApprovalCommands;
  allowedPixKeys: AllowedPixKeyCommands;
  payouts: PayoutCommands;
  versionGate: VersionGate;
}

/** A withdraw, or an allowed key, by its number within the company. */
interface NumberOfCompany {
  companyId: number;
  id: number;
}

/** `key`: the request's idempotency key, if it has one. */
interface CancelWithdraw extends NumberOfCompany {
  key: string | null;
}

/** `account`: the company's payout account at its provider; null if it has none. */
interface ClaimPayout extends NumberOfCompany {
  /** The one that pays out; null where none does. */
  account: string | null;
  /** Of the company as `account` was read; left out for one that nobody disconnects. */
  credentialsVersion?: number;
}

interface RecordPayout extends NumberOfCompany {
  report: PayoutPollResult;
}

/** The calls about withdraws and payouts. */
export const withdrawCalls = {
  requestWithdraw: fromClient(
    after(
      commitInGroup(({ withdraws }: Services, command: RequestWithdraw, now) =>
        withdraws.request(command, now),
      ),
      (object, answer, command) => {
        if (answer.kind === "accepted") notifySendable(object, answer.withdraw, command);
      },
    ),
  ),

  /** What `requestWithdraw` would answer now. Writes no withdraw. */
  previewWithdraw: fromClient(declare(previewOf)),

  cancelWithdraw: fromClient(
    commitAndDrain(({ withdraws }: Services, { id, key }: CancelWithdraw, now) =>
      withdraws.cancel(id, key, now),
    ),
  ),

  /** Approves or refuses a withdraw that waits for it. */
  decideWithdraw: fromClient(
    after(
      commitIfCurrentAndDrain(({ approvals }: Services, command: DecideWithdraw, now) =>
        approvals.decide(command, now),
      ),
      (object, answer, command) => {
        if (answer.kind === "decided") notifySendable(object, answer.withdraw, command);
      },
    ),
  ),

  addAllowedPixKey: fromClient(
    commitIfCurrent(({ allowedPixKeys }: Services, command: AddAllowedPixKey, now) =>
      allowedPixKeys.add(command, now),
    ),
  ),

  removeAllowedPixKey: fromClient(
    commit(({ stores }: Services, { id }: NumberOfCompany) => stores.allowedPixKeys.remove(id)),
  ),

  /** The keys after a number, ascending. */
  listAllowedPixKeys: fromClient(
    find(({ stores }: Services, { after: last, limit }: { after: number; limit: number }) =>
      stores.allowedPixKeys.list(last, limit),
    ),
  ),

  findWithdraw: find(({ stores }: Services, id: number): WithdrawRecord | null =>
    stores.withdraws.find(id),
  ),

  /** What the ledger booked for a withdraw, oldest first. */
  withdrawMovements: fromClient(
    find(({ stores }: Services, id: number) =>
      stores.ledger.bySequence<MovementType>(stores.withdraws.find(id)?.movements ?? []),
    ),
  ),

  listWithdraws: fromClient(
    find(({ stores }: Services, query: WithdrawQuery) => stores.withdraws.page(query)),
  ),

  /** The withdraw with this payout id, however old. */
  findPayout: find(({ stores }: Services, payoutId: string): WithdrawRecord | null =>
    stores.withdraws.findByPayoutId(payoutId),
  ),

  claimPayout: after(
    commit(({ withdraws, versionGate }: Services, command: ClaimPayout, now) => {
      const { id, account, credentialsVersion } = command;
      const isOutdated =
        credentialsVersion !== undefined && versionGate.check({ credentialsVersion }) !== null;
      return withdraws.claim(id, { account, isOutdated }, now);
    }),
    ({ open }, { kind }) => {
      if (kind === "send") open.waitUntil(open.backgroundWork.drain());
    },
  ),

  recordPayout: commitAndDrain(({ payouts }: Services, { id, report }: RecordPayout, now) =>
    payouts.record(id, report, now),
  ),
};

/** Nothing for a caller whose credentials are outdated. */
function previewOf({ open }: Opened<Services>, command: RequestWithdraw): WithdrawPreviewAnswer {
  open.releaseDue();
  const conflict = open.versionGate.check(command);
  const preview = () => open.services.withdraws.preview(command, open.clock.now());
  return conflict ?? { kind: "preview", preview: preview() };
}

/** A sandbox withdraw waits for the alarm, so that a merchant can try a cancel. */
function notifySendable(
  { open }: Opened<Services>,
  { id, status, approval }: WithdrawRecord,
  { sandbox }: { sandbox: boolean },
): void {
  if (sandbox || status !== "Awaiting" || approval === "pending") return;
  open.waitUntil(open.backgroundWork.payoutNotifier.notifyAccepted(id));
}
