import { Inject, Injectable } from "@nestjs/common";
import {
  Order,
  ProductVariantService,
  StockLevel,
  StockMovementService,
  TransactionalConnection,
  type RequestContext,
} from "@vendure/core";
import { In } from "typeorm";
import { CentavoCharge } from "./charge.entity.ts";
import { locked } from "./locked.ts";

/** Holds an order's stock while one of its charges may be paid. All of it belongs into the caller's transaction. */
@Injectable()
export class StockHold {
  constructor(
    @Inject(TransactionalConnection) private connection: TransactionalConnection,
    @Inject(StockMovementService) private movements: StockMovementService,
    @Inject(ProductVariantService) private variants: ProductVariantService,
  ) {}

  /** Whether there is enough for every line. */
  async suffices(ctx: RequestContext, order: Order): Promise<boolean> {
    for (const { productVariant, quantity } of order.lines) {
      if ((await this.variants.getSaleableStockLevel(ctx, productVariant)) < quantity) return false;
    }
    return true;
  }

  /** Allocates an order's stock; false, and nothing done, where a line has not enough. */
  async hold(ctx: RequestContext, order: Order): Promise<boolean> {
    await this.#lock(ctx, order);
    if (!(await this.suffices(ctx, order))) return false;
    await this.movements.createAllocationsForOrder(ctx, order);
    return true;
  }

  /** Releases what the order's charges hold. */
  async release(ctx: RequestContext, orderId: Order["id"]): Promise<void> {
    if (!(await this.handOver(ctx, orderId))) return;
    const relations = ["lines"];
    const order = await this.connection.getEntityOrThrow(ctx, Order, orderId, { relations });
    await this.#lock(ctx, order);
    await this.movements.createReleasesForOrderLines(
      ctx,
      order.lines.map(({ id, quantity }) => ({ orderLineId: id, quantity })),
    );
  }

  /** Whether a charge holds the order's stock. */
  isHeld(ctx: RequestContext, orderId: Order["id"]): Promise<boolean> {
    return this.#charges(ctx).existsBy({ orderId, holdsStock: true });
  }

  /** Leaves the held stock to the order itself, or to its next charge; false where none was held. */
  async handOver(ctx: RequestContext, orderId: Order["id"]): Promise<boolean> {
    if (!(await this.isHeld(ctx, orderId))) return false;
    await this.#charges(ctx).update({ orderId, holdsStock: true }, { holdsStock: false });
    return true;
  }

  /** Vendure reads a stock and writes it back: two at once would lose one, or sell the last one twice. */
  async #lock(ctx: RequestContext, { lines }: Order) {
    const productVariantId = In(lines.map((line) => line.productVariantId));
    // Always in the same order, so that two never wait for each other.
    const order = { id: "ASC" } as const;
    await locked(this.connection, ctx, StockLevel, { where: { productVariantId }, order });
  }

  #charges(ctx: RequestContext) {
    return this.connection.getRepository(ctx, CentavoCharge);
  }
}
