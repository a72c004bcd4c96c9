import { expect, it } from "vitest";
import type { CompanyRpc } from "../../../src/company/calls.ts";
import { EXIT_NAMES, type ExitName } from "../../../src/domain/exits/exits.ts";

/**
 * Which exits each call of the company's object is the door of. A call that is missing here does not compile: whoever
 * adds one says whether money leaves by it.
 */
const DOORS: Record<keyof CompanyRpc, readonly ExitName[]> = {
  requestWithdraw: ["withdraw"],
  decideWithdraw: ["withdraw"],
  requestRefund: ["refund"],
  decideExit: ["refund", "return"],
  decidePayment: ["return", "credit"],
  decideByOperators: ["operatorDecision"],
  recordDispute: ["lostDispute"],
  // What a bank reports, and what was decided before.
  settlePayment: [],
  bookUnexpectedPayment: [],
  transitionCharge: [],
  recordOperation: [],
  recordProviderRefund: [],
  recordPayout: [],
  recordRecheck: [],
  recordFinding: [],
  claimOperation: [],
  claimPayout: [],
  claimRecheck: [],
  // A cancel ends a charge that nobody paid; a capture brings money in. A cancelled withdraw was not sent.
  requestCancelOrCapture: [],
  cancelWithdraw: [],
  previewWithdraw: [],
  // A freeze stops exits; its end takes two operators (`decideByOperators`), but of a sandbox company.
  setFrozen: [],
  hasDecided: [],
  admitCardAttempt: [],
  submitEvidence: [],
  writePaymentLink: [],
  takeReservation: [],
  renewReservation: [],
  useCardSession: [],
  addAllowedPixKey: [],
  removeAllowedPixKey: [],
  announceAnchor: [],
  announceSettingsChange: [],
  announceTestEvent: [],
  announceStorageFilling: [],
  auditLedger: [],
  acquireDeliveryLease: [],
  releaseDeliveryLease: [],
  takeQuota: [],
  erasePayers: [],
  raiseNumbers: [],
  keepUnarchived: [],
  restoreToTime: [],
  invalidateCredentials: [],
  retireCredentials: [],
  runNow: [],
  dueItems: [],
  // What waits by the clock goes out by its own doors.
  moveClock: [],
  // A fork's money is the sandbox's; its object is written before it has a company.
  writeFork: [],
  finishFork: [],
  eraseFork: [],
  // Reads.
  readForFork: [],
  findCharge: [],
  history: [],
  findPaymentInSuspense: [],
  listPaymentsInSuspense: [],
  findDispute: [],
  listWaitingExits: [],
  findExit: [],
  findOperation: [],
  findReceivedPayments: [],
  transactionsOfPayments: [],
  listAllowedPixKeys: [],
  findWithdraw: [],
  withdrawMovements: [],
  listWithdraws: [],
  findPayout: [],
  findContradiction: [],
  findFreeze: [],
  balances: [],
  availableAt: [],
  statementEntries: [],
  statementSums: [],
  forecast: [],
  cashAhead: [],
  pendingReleases: [],
  statement: [],
  ledgerPosition: [],
  ledgerHead: [],
  isFrozen: [],
  snapshot: [],
  inspect: [],
};

it("every exit has a door in the company's object", () => {
  expect([...new Set(Object.values(DOORS).flat())].toSorted()).toEqual([...EXIT_NAMES].toSorted());
});
