import { EntityId, VendureEntity, type DeepPartial, type ID } from "@vendure/core";
import { Column, Entity, Index } from "typeorm";

/**
 * `open`: the payer may pay. `settled`: it is a payment of its order. `ended`: nobody paid. `attention`: money came that
 * pays for nothing in the shop, and the owner decides.
 */
export type ChargeState = "open" | "settled" | "ended" | "attention";

/** What the shop knows of a transaction of the gateway. */
@Entity()
export class CentavoCharge extends VendureEntity {
  /** Of the gateway. */
  @Index({ unique: true })
  @Column("varchar")
  transactionId!: string;

  @Index()
  @EntityId()
  orderId!: ID;

  @EntityId()
  channelId!: ID;

  /** The code of the shop's payment method. */
  @Column("varchar")
  method!: string;

  /** Centavos. */
  @Column("int")
  amount!: number;

  @Column("varchar")
  state!: ChargeState;

  /** Whether the order's stock is allocated on its account. */
  @Column("boolean", { default: false })
  holdsStock!: boolean;

  /** The newest event that is done, by its `sequence`. */
  @Column("int", { default: 0 })
  sequence!: number;

  @Column({ type: Date, nullable: true })
  expiresAt!: Date | null;

  /** When the gateway is asked again, event or not. */
  @Index()
  @Column({ type: Date, nullable: true })
  checkAt!: Date | null;

  /** What the owner has to decide; null for nothing. */
  @Column("text", { nullable: true })
  attention!: string | null;

  /** What stands in the order's history already. */
  @Column("simple-json")
  noted!: string[];

  constructor(input?: DeepPartial<CentavoCharge>) {
    super(input);
  }
}
