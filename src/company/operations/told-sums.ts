import type { Cents } from "../../domain/shared/money.ts";
import { assert } from "../../lib/assert.ts";
import type { ChargeStore, PaymentRecord } from "../charges/charge-store.ts";
import type { SuspenseCommands } from "../charges/suspense-commands.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { ExternalRefundStore } from "./external-refund-store.ts";
import { doneAfterAll } from "./operation-results.ts";
import type { OperationStore, StoredOperation } from "./operation-store.ts";
import { refundableAmount } from "./refund-limit.ts";

/** What is known of the money that went back of a payment, where its provider tells the sum of it. Books nothing. */
export class ToldSums {
  readonly #charges: ChargeStore;
  readonly #operations: OperationStore;
  readonly #suspense: SuspenseCommands;
  readonly #refunds: ExternalRefundStore;
  readonly #contradictions: ContradictionStore;

  constructor(deps: {
    charges: ChargeStore;
    operations: OperationStore;
    suspense: SuspenseCommands;
    externalRefunds: ExternalRefundStore;
    contradictions: ContradictionStore;
  }) {
    this.#charges = deps.charges;
    this.#operations = deps.operations;
    this.#suspense = deps.suspense;
    this.#refunds = deps.externalRefunds;
    this.#contradictions = deps.contradictions;
  }

  /** Centavos of a payment that went back, are on their way at our wish, or that a finding about one of ours holds or took. */
  knownBack(payment: PaymentRecord): Cents {
    const { transactionId, inSuspense, returnOperation, amount } = payment;
    const returned = returnOperation === null ? null : this.#operations.find(returnOperation);
    const late = returned === null ? 0 : this.#accounted(returned);
    if (inSuspense && returned?.status === "PENDING") return amount;
    if (inSuspense) return amount - this.#suspense.remaining(payment) + late;
    assert(transactionId !== null, "a credited payment has a charge");
    const charge = this.#charges.require(transactionId);
    const refunds = this.#operations.listByTransaction("refund", transactionId);
    const accounted = refunds.reduce((sum, refund) => sum + this.#accounted(refund), late);
    return charge.paidAmount - refundableAmount(charge, refunds) + accounted;
  }

  /**
   * What of a refund that was done after all no sum has taken, in centavos: nothing where sums took as much and the
   * payment had not so much left, else all of it.
   */
  untaken({ paymentId, amount }: { paymentId: string | null; amount: Cents }): Cents {
    const payment = paymentId === null ? null : this.#charges.findPayment(paymentId);
    if (payment === null) return amount;
    const mayBeBeside = amount <= payment.amount - this.knownBack(payment);
    return mayBeBeside || this.#refunds.takenBySums(payment.paymentId) < amount ? amount : 0;
  }

  /** Of a refund that failed here: what its findings hold, or took from the company. */
  #accounted(operation: StoredOperation): Cents {
    if (operation.status !== "FAILED") return 0;
    return this.#contradictions.accountedBy(doneAfterAll(operation));
  }
}
