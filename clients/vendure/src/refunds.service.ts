import { Inject, Injectable } from "@nestjs/common";
import {
  OrderService,
  Payment,
  Refund,
  TransactionalConnection,
  type CreateRefundResult,
  type RequestContext,
} from "@vendure/core";
import { ApiError, CentavoError, type Centavo, type Transaction } from "centavo";
import { CentavoCharge } from "./charge.entity.ts";
import { locked, lockedCharge } from "./locked.ts";
import { OwnerNotes } from "./notes.service.ts";
import { CENTAVO_CLIENT } from "./options.ts";
import { reais } from "./texts.ts";

/** A refund without an event of its end is asked about so often. */
const PENDING_MS = 60_000;
/** A refund of the gateway that the shop does not know for so long was asked for elsewhere. */
const FOREIGN_MS = 600_000;

type GatewayRefund = NonNullable<Transaction["refunds"]>[number];
const STATES = { DONE: "Settled", PENDING: "Pending", FAILED: "Failed" } as const;

/** Refunds: asked for in the shop's admin, done by the gateway. */
@Injectable()
export class RefundsService {
  /** Payments of which a refund is being asked for, by their transactions. */
  readonly #asking = new Set<string>();

  constructor(
    @Inject(CENTAVO_CLIENT) private centavo: Centavo,
    @Inject(TransactionalConnection) private connection: TransactionalConnection,
    @Inject(OrderService) private orders: OrderService,
    @Inject(OwnerNotes) private notes: OwnerNotes,
  ) {}

  /**
   * Gives `amount` centavos of a payment back. `Pending` while the gateway or its bank has not decided; a refund whose
   * outcome is unknown is asked for again with the same key, never twice. A second click fails.
   */
  async create(ctx: RequestContext, payment: Payment, amount: number): Promise<CreateRefundResult> {
    const { transactionId } = payment;
    if (this.#asking.has(transactionId))
      return failed("Outra devolução deste pagamento está sendo feita. Confira-a e peça de novo.");
    this.#asking.add(transactionId);
    try {
      return await this.#create(ctx, payment, amount);
    } finally {
      this.#asking.delete(transactionId);
    }
  }

  async #create(ctx: RequestContext, payment: Payment, amount: number) {
    const { transactionId } = payment;
    const charge = await lockedCharge(this.connection, ctx, transactionId);
    const earlier = await this.#refundsOf(ctx, payment);
    // Vendure numbers a refund only after this: its place among the payment's is as good.
    const idempotencyKey = `vendure-refund-${transactionId}-${earlier.length + 1}`;
    const result = await this.#ask(transactionId, amount, idempotencyKey);
    const isKnown = earlier.some((refund) => refund.transactionId === result.transactionId);
    if (isKnown && result.transactionId !== "")
      return failed("Esta devolução já está registrada neste pedido.");
    if (charge !== null && result.state === "Pending") {
      charge.checkAt = new Date(Date.now() + PENDING_MS);
      await this.connection.getRepository(ctx, CentavoCharge).save(charge);
    }
    return result;
  }

  /** Settles or fails the shop's pending refunds of a charge. Answers when to ask again; null for never. */
  async bringUp(
    ctx: RequestContext,
    charge: CentavoCharge,
    transaction: Transaction,
  ): Promise<Date | null> {
    const where = { transactionId: charge.transactionId, state: "Settled" as const };
    const payment = await this.connection.getRepository(ctx, Payment).findOne({ where });
    const refunds = payment === null ? [] : await this.#refundsOf(ctx, payment);
    let isPending = false;
    for (const refund of refunds.filter(({ state }) => state === "Pending")) {
      isPending = !(await this.#end(ctx, charge, refund, transaction)) || isPending;
    }
    const known = new Set(refunds.map((refund) => refund.transactionId));
    const foreign = (transaction.refunds ?? []).filter(({ id }) => !known.has(id));
    const isYoung = await this.#noteForeign(ctx, charge, foreign);
    if (charge.state === "attention" && transaction.status === "REFUNDED") {
      charge.state = "settled";
      charge.attention = null;
    }
    if (isPending) return new Date(Date.now() + PENDING_MS);
    return isYoung ? new Date(Date.now() + FOREIGN_MS) : null;
  }

  #refundsOf(ctx: RequestContext, payment: Payment): Promise<Refund[]> {
    // Locked, so that none is missed that was made since this database transaction began.
    return locked(this.connection, ctx, Refund, { where: { paymentId: payment.id } });
  }

  async #ask(
    transactionId: string,
    amount: number,
    idempotencyKey: string,
  ): Promise<CreateRefundResult> {
    try {
      const key = { idempotencyKey };
      const { refunds = [] } = await this.centavo.transactions.refund(
        transactionId,
        { amount },
        key,
      );
      const refund = refunds.findLast((each) => each.amount === amount);
      if (refund === undefined) return { state: "Pending", metadata: { idempotencyKey } };
      return { state: STATES[refund.status], transactionId: refund.id, metadata: {} };
    } catch (error) {
      if (!(error instanceof CentavoError)) throw error;
      const isKnown = error instanceof ApiError && !error.retryable;
      if (isKnown) return failed(`A Centavo recusou a devolução: ${error.message}`);
      return { state: "Pending", metadata: { idempotencyKey } };
    }
  }

  /** Brings one pending refund to its end; false where it is still under way. */
  async #end(
    ctx: RequestContext,
    charge: CentavoCharge,
    refund: Refund,
    transaction: Transaction,
  ): Promise<boolean> {
    const key: unknown = refund.metadata["idempotencyKey"];
    const found = (transaction.refunds ?? []).find(({ id }) => id === refund.transactionId);
    const result =
      found === undefined && typeof key === "string"
        ? await this.#ask(charge.transactionId, refund.total, key)
        : { state: STATES[found?.status ?? "PENDING"], transactionId: refund.transactionId };
    const { state, transactionId = "" } = result;
    if (state === "Pending") {
      await this.connection.getRepository(ctx, Refund).update(refund.id, { transactionId });
      return false;
    }
    if (state === "Settled") await this.orders.settleRefund(ctx, { id: refund.id, transactionId });
    else {
      await this.orders.transitionRefundToState(ctx, refund.id, "Failed", transactionId);
      const text = `A devolução de ${reais(refund.total)} não foi feita: peça de novo ou veja na Centavo.`;
      await this.notes.once(ctx, charge, `failed ${refund.id}`, text);
    }
    return true;
  }

  /** Notes what was given back elsewhere. Answers whether one is so young that the shop may still be writing it. */
  async #noteForeign(
    ctx: RequestContext,
    charge: CentavoCharge,
    refunds: GatewayRefund[],
  ): Promise<boolean> {
    const isOld = ({ createdAt }: GatewayRefund) => Date.parse(createdAt) < Date.now() - FOREIGN_MS;
    for (const { id, amount, status } of refunds.filter(isOld)) {
      if (status !== "DONE") continue;
      const text = `${reais(amount)} devolvidos fora da loja (${id}): registre a devolução no pedido.`;
      await this.notes.once(ctx, charge, id, text);
    }
    return !refunds.every(isOld);
  }
}

function failed(errorMessage: string): CreateRefundResult {
  return { state: "Failed", metadata: { errorMessage } };
}
