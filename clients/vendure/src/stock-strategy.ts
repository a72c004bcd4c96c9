import type {
  Injector,
  Order,
  OrderProcess,
  OrderState,
  RequestContext,
  StockAllocationStrategy,
} from "@vendure/core";
import { StockHold } from "./stock.service.ts";

/** The shop's own strategy, but for stock that a charge holds already: that becomes the order's. */
export class HeldStockStrategy implements StockAllocationStrategy {
  #stock: StockHold | undefined;

  constructor(readonly inner: StockAllocationStrategy) {}

  async init(injector: Injector): Promise<void> {
    this.#stock = injector.get(StockHold);
    await this.inner.init?.(injector);
  }

  async destroy(): Promise<void> {
    await this.inner.destroy?.();
  }

  async shouldAllocateStock(
    ctx: RequestContext,
    fromState: OrderState,
    toState: OrderState,
    order: Order,
  ): Promise<boolean> {
    if (!(await this.inner.shouldAllocateStock(ctx, fromState, toState, order))) return false;
    return !(await this.#stock?.handOver(ctx, order.id));
  }
}

let stock: StockHold;

/** Releases held stock in the same transaction in which an order stops waiting for its payment. */
export const releasingProcess: OrderProcess<never> = {
  init(injector) {
    stock = injector.get(StockHold);
  },
  async onTransitionStart(fromState, toState, { ctx, order }) {
    const stops = toState === "AddingItems" || toState === "Cancelled";
    if (fromState === "ArrangingPayment" && stops) await stock.release(ctx, order.id);
  },
};
