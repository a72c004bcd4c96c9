import { PagarMeProvider } from "../../../src/providers/pagarme/provider.ts";
import { PixApiMandates } from "../../../src/providers/pix-api/automatic/mandates.ts";
import { patch, type SeededBug } from "../seeded-bugs.ts";
import { plusDays } from "./calendar.ts";

type DebitBug = Omit<SeededBug, "hooks">;
type Method =
  | "scheduleDebit"
  | "retryDebit"
  | "findDebit"
  | "cancelMandate"
  | "findMandateByContract";

/** Replaces a call to the PSP; `change` has the real one and counts what it does. */
function seeded<Name extends Method>(
  name: Name,
  change: (
    real: PixApiMandates[Name],
    strike: () => void,
  ) => (this: PixApiMandates, ...given: never[]) => unknown,
): DebitBug {
  let struck = 0;
  const undo = patch(PixApiMandates.prototype, name, (real) => {
    return change(real, () => void (struck += 1)) as PixApiMandates[Name];
  });
  return { timesApplied: () => struck, undo };
}

/** Each debit is ordered once more, under an id of its own. */
export function secondDebit(): DebitBug {
  return seeded("scheduleDebit", (schedule, strike) => {
    return async function doubled(this: PixApiMandates, order: Parameters<typeof schedule>[0]) {
      strike();
      const chargeId = `${order.chargeId.slice(0, -1)}${order.chargeId.endsWith("0") ? "1" : "0"}`;
      await schedule.call(this, { ...order, chargeId });
      return schedule.call(this, order);
    };
  });
}

/** A debit whose answer was lost is ordered again without a look. */
export function orderedAgain(): DebitBug {
  return seeded("scheduleDebit", (schedule, strike) => {
    return async function twice(this: PixApiMandates, order: Parameters<typeof schedule>[0]) {
      strike();
      await schedule.call(this, order);
      return schedule.call(this, order);
    };
  });
}

/** A debit is cancelled once its first attempt has failed. */
export function lateCancel(): DebitBug {
  return seeded("findDebit", (find, strike) => {
    return async function late(this: PixApiMandates, chargeId: string) {
      const report = await find.call(this, chargeId);
      if (report.kind !== "known" || report.debit.attempts[0]?.status !== "failed") return report;
      strike();
      await this.cancelDebit(chargeId);
      return report;
    };
  });
}

/** A retry is ordered for a day after the seventh. */
export function lateRetry(): DebitBug {
  return seeded("retryDebit", (retry, strike) => {
    return function late(this: PixApiMandates, chargeId: string, day: string) {
      strike();
      return retry.call(this, chargeId, plusDays(day, 8));
    };
  });
}

/** A second retry is ordered while the first is open. */
export function secondRetry(): DebitBug {
  return seeded("retryDebit", (retry, strike) => {
    return async function doubled(this: PixApiMandates, chargeId: string, day: string) {
      strike();
      const answer = await retry.call(this, chargeId, day);
      await retry.call(this, chargeId, plusDays(day, 1));
      return answer;
    };
  });
}

/** One more retry is ordered once three have failed. */
export function fourthRetry(): DebitBug {
  return seeded("findDebit", (find, strike) => {
    return async function more(this: PixApiMandates, chargeId: string) {
      const report = await find.call(this, chargeId);
      if (report.kind !== "known") return report;
      const retries = report.debit.attempts.filter(({ kind }) => kind === "retry");
      if (retries.length < 3 || retries.some(({ status }) => status !== "failed")) return report;
      strike();
      await this.retryDebit(chargeId, plusDays(retries.at(-1)?.day ?? "", 1));
      return report;
    };
  });
}

/** The second retry of a debit is ordered for the day of the first. */
export function retryOnOneDay(): DebitBug {
  const firsts = new Map<string, string>();
  return seeded("retryDebit", (retry, strike) => {
    return function again(this: PixApiMandates, chargeId: string, day: string) {
      const first = firsts.get(chargeId) ?? day;
      firsts.set(chargeId, first);
      if (day !== first) strike();
      return retry.call(this, chargeId, first);
    };
  });
}

/** A mandate whose order got no answer counts as not made. */
export function blindSearch(): DebitBug {
  return seeded("findMandateByContract", (_find, strike) => {
    return async function blind() {
      strike();
      return { kind: "not_found" };
    };
  });
}

/** A mandate counts as ended although nobody told the PSP. */
export function unsentEnd(): DebitBug {
  return seeded("cancelMandate", (_cancel, strike) => {
    return async function idle() {
      strike();
      return { kind: "cancelled" };
    };
  });
}

/** A paid debit is told with an end-to-end id of its own each time. */
export function newPaymentIds(): DebitBug {
  return seeded("findDebit", (find, strike) => {
    return async function renaming(this: PixApiMandates, chargeId: string) {
      const report = await find.call(this, chargeId);
      if (report.kind !== "known") return report;
      const { debit } = report;
      const [payment] = debit.charge.payments;
      if (payment === undefined) return report;
      strike();
      const paymentId = `${payment.paymentId.slice(0, -1)}${payment.paymentId.endsWith("0") ? "1" : "0"}`;
      const payments = [payment, { ...payment, paymentId }];
      return { ...report, debit: { ...debit, charge: { ...debit.charge, payments } } };
    };
  });
}

/** A debit is ordered for the cycle after the one that is due. */
export function earlyDebit(): DebitBug {
  return seeded("scheduleDebit", (schedule, strike) => {
    return function early(this: PixApiMandates, order: Parameters<typeof schedule>[0]) {
      strike();
      return schedule.call(this, { ...order, dueDate: plusDays(order.dueDate, 7) });
    };
  });
}

/** The first weekly debit of a mandate is ordered when the one after it is due. */
export function lateDebit(): DebitBug {
  const firsts = new Map<string, string>();
  return seeded("scheduleDebit", (schedule, strike) => {
    return async function late(this: PixApiMandates, order: Parameters<typeof schedule>[0]) {
      const { mandateId, dueDate } = order;
      const first = firsts.get(mandateId) ?? dueDate;
      firsts.set(mandateId, first);
      if (dueDate === first) return { kind: "refused", message: "Not yet." };
      strike();
      return schedule.call(this, { ...order, dueDate: plusDays(dueDate, -7) });
    };
  });
}

/** A saved card is charged once more, as if its cycle had another charge. */
export function secondCard(): DebitBug {
  let struck = 0;
  const undo = patch(PagarMeProvider.prototype, "createCharge", (create) => {
    return async function doubled(this: PagarMeProvider, order, bind) {
      if (order.paymentMethod === "CREDIT_CARD" && order.card.initiatedBy === "merchant") {
        struck += 1;
        const { chargeId } = order;
        const other = `${chargeId.slice(0, 10)}ff${chargeId.slice(12)}`;
        await create.call(this, { ...order, chargeId: other }, bind);
      }
      return create.call(this, order, bind);
    };
  });
  return { timesApplied: () => struck, undo };
}
