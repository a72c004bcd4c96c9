import { Args, Mutation, Parent, Query, ResolveField, Resolver } from "@nestjs/graphql";
import { Inject } from "@nestjs/common";
import {
  Allow,
  Ctx,
  Permission,
  Transaction as InTransaction,
  TransactionalConnection,
  type Order,
  type RequestContext,
} from "@vendure/core";
import type { Centavo, Transaction } from "centavo";
import { parse } from "graphql";
import { IsNull, Not } from "typeorm";
import { CentavoCharge } from "./charge.entity.ts";
import { ChargesService, type ChargeInput } from "./charges.service.ts";
import { CENTAVO_CLIENT } from "./options.ts";

export const shopSchema = parse(`
  enum CentavoMethod { PIX BOLETO }

  "What the shopper pays by. Money is in centavos."
  type CentavoCharge {
    "The gateway's. No \`ID\`, which Vendure would encode as one of its own."
    transactionId: String!
    method: String!
    status: String!
    amount: Money!
    "Until then the stock is held."
    expiresAt: DateTime
    "The Pix to copy and paste, of a boleto too where it has one."
    pixCode: String
    "The code as SVG."
    pixQr: String
    boletoLine: String
    boletoUrl: String
    "The gateway's page to pay on."
    payUrl: String
  }

  extend type Order {
    "The charge that may still be paid."
    centavoCharge: CentavoCharge
  }

  extend type Mutation {
    "Charges the active order; again answers the same charge. A boleto needs the CPF or CNPJ."
    createCentavoCharge(method: CentavoMethod!, document: String): CentavoCharge!
  }
`);

export const adminSchema = parse(`
  "A transaction of the gateway for an order. Money is in centavos."
  type CentavoCharge {
    transactionId: String!
    orderId: ID!
    state: String!
    amount: Money!
    "What the owner has to decide."
    attention: String
  }

  extend type Query {
    "Money that came and pays for nothing in the shop, oldest first."
    centavoAttention: [CentavoCharge!]!
  }
`);

/** The shopper's side. */
@Resolver("Order")
export class ShopOrderResolver {
  constructor(@Inject(ChargesService) private charges: ChargesService) {}

  @ResolveField()
  async centavoCharge(@Ctx() ctx: RequestContext, @Parent() order: Order) {
    const transaction = await this.charges.current(ctx, order.id);
    return transaction === null ? null : shownOf(transaction);
  }
}

@Resolver("CentavoCharge")
export class ShopChargeResolver {
  constructor(
    @Inject(ChargesService) private charges: ChargesService,
    @Inject(CENTAVO_CLIENT) private centavo: Centavo,
  ) {}

  @Mutation()
  @InTransaction()
  @Allow(Permission.Owner)
  async createCentavoCharge(@Ctx() ctx: RequestContext, @Args() input: ChargeInput) {
    return shownOf(await this.charges.create(ctx, input));
  }

  /** Only where it is asked for: it is a request of its own. */
  @ResolveField()
  pixQr(@Parent() { id, pixCode }: ReturnType<typeof shownOf>): Promise<string> | null {
    return pixCode === null ? null : this.centavo.transactions.qr(id);
  }
}

/** The owner's side. */
@Resolver()
export class AdminResolver {
  constructor(@Inject(TransactionalConnection) private connection: TransactionalConnection) {}

  @Query()
  @Allow(Permission.ReadOrder)
  centavoAttention(@Ctx() ctx: RequestContext): Promise<CentavoCharge[]> {
    const charges = this.connection.getRepository(ctx, CentavoCharge);
    return charges.find({
      where: { attention: Not(IsNull()), channelId: ctx.channelId },
      order: { id: "ASC" },
    });
  }
}

function shownOf({ id, status, amount, paymentMethod, pix, boleto, secureUrl }: Transaction) {
  return {
    id,
    transactionId: id,
    method: paymentMethod,
    status,
    amount,
    expiresAt: pix?.expirationDate ?? boleto?.expirationDate ?? null,
    pixCode: pix?.qrcode ?? boleto?.qrcode ?? null,
    boletoLine: boleto?.formattedLine ?? null,
    boletoUrl: boleto?.url ?? null,
    payUrl: secureUrl,
  };
}
