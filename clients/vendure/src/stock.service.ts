import { Inject, Injectable } from "@nestjs/common";
import {
  Order,
  ProductVariantService,
  StockMovementService,
  TransactionalConnection,
  type RequestContext,
} from "@vendure/core";
import { CentavoCharge } from "./charge.entity.ts";

/** Holds an order's stock while one of its charges may be paid. All of it belongs into the caller's transaction. */
@Injectable()
export class StockHold {
  constructor(
    @Inject(TransactionalConnection) private connection: TransactionalConnection,
    @Inject(StockMovementService) private movements: StockMovementService,
    @Inject(ProductVariantService) private variants: ProductVariantService,
  ) {}

  /** Allocates an order's stock; false, and nothing done, where a line has not enough. */
  async hold(ctx: RequestContext, order: Order): Promise<boolean> {
    for (const { productVariant, quantity } of order.lines) {
      if ((await this.variants.getSaleableStockLevel(ctx, productVariant)) < quantity) return false;
    }
    await this.movements.createAllocationsForOrder(ctx, order);
    return true;
  }

  /** Releases what the order's charges hold. */
  async release(ctx: RequestContext, orderId: Order["id"]): Promise<void> {
    if (!(await this.handOver(ctx, orderId))) return;
    const relations = ["lines"];
    const { lines } = await this.connection.getEntityOrThrow(ctx, Order, orderId, { relations });
    await this.movements.createReleasesForOrderLines(
      ctx,
      lines.map(({ id, quantity }) => ({ orderLineId: id, quantity })),
    );
  }

  /** Leaves the held stock to the order itself; false where none was held. */
  async handOver(ctx: RequestContext, orderId: Order["id"]): Promise<boolean> {
    const held = { orderId, holdsStock: true };
    if (!(await this.#charges(ctx).existsBy(held))) return false;
    await this.#charges(ctx).update(held, { holdsStock: false });
    return true;
  }

  #charges(ctx: RequestContext) {
    return this.connection.getRepository(ctx, CentavoCharge);
  }
}
