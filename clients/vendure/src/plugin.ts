import { Inject, type OnApplicationBootstrap } from "@nestjs/common";
import {
  EventBus,
  Logger,
  OrderStateTransitionEvent,
  PluginCommonModule,
  VendurePlugin,
  type PaymentOptions,
  type RuntimeVendureConfig,
  type Type,
} from "@vendure/core";
import { Centavo } from "centavo";
import { CentavoCharge } from "./charge.entity.ts";
import { ChargesService } from "./charges.service.ts";
import { CURSOR_FIELDS, EventsService, eventsTask } from "./events.service.ts";
import {
  AdminResolver,
  adminSchema,
  ShopChargeResolver,
  ShopOrderResolver,
  shopSchema,
} from "./graphql.ts";
import { centavoHandler } from "./handler.ts";
import { OwnerNotes } from "./notes.service.ts";
import { CENTAVO_CLIENT, CENTAVO_OPTIONS, LOG, type CentavoPluginOptions } from "./options.ts";
import { KeyedQueue } from "./queue.ts";
import { RefundsService } from "./refunds.service.ts";
import { SettlementService } from "./settlement.service.ts";
import { StockHold } from "./stock.service.ts";
import { HeldStockStrategy, releasingProcess } from "./stock-strategy.ts";
import { keepRawBody, WEBHOOK_ROUTE, WebhookController } from "./webhook.controller.ts";

const EACH_MINUTE = "* * * * *";
/** Vendure moves a new refund, which is pending, to the state that its handler answers: also to that one. */
const stayingPending: NonNullable<PaymentOptions["refundProcess"]>[number] = {
  transitions: { Pending: { to: ["Pending"], mergeStrategy: "merge" } },
};

/** Pix, boleto and cards of a Centavo gateway. */
@VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: "^3.7.0",
  entities: [CentavoCharge],
  controllers: [WebhookController],
  providers: [
    { provide: CENTAVO_OPTIONS, useFactory: () => CentavoPlugin.options },
    { provide: CENTAVO_CLIENT, useFactory: () => new Centavo(CentavoPlugin.options) },
    ChargesService,
    EventsService,
    KeyedQueue,
    OwnerNotes,
    RefundsService,
    SettlementService,
    StockHold,
  ],
  shopApiExtensions: { schema: shopSchema, resolvers: [ShopOrderResolver, ShopChargeResolver] },
  adminApiExtensions: { schema: adminSchema, resolvers: [AdminResolver] },
  configuration: configure,
})
export class CentavoPlugin implements OnApplicationBootstrap {
  /** @internal */
  static options: CentavoPluginOptions;

  constructor(
    @Inject(EventBus) private bus: EventBus,
    @Inject(SettlementService) private settlement: SettlementService,
  ) {}

  /** The plugin with its gateway, for the shop's `plugins`. */
  static init(options: CentavoPluginOptions): Type<CentavoPlugin> {
    CentavoPlugin.options = options;
    return CentavoPlugin;
  }

  /** Ends an order's open charges once it waits for no payment any more. */
  onApplicationBootstrap(): void {
    this.bus.ofType(OrderStateTransitionEvent).subscribe(({ fromState, order }) => {
      if (fromState !== "ArrangingPayment") return;
      this.settlement.settleOrder(order.id).catch((error: unknown) => {
        // Its check does it later.
        Logger.warn(`Order ${order.code}: ${String(error)}`, LOG);
      });
    });
  }
}

function configure(config: RuntimeVendureConfig): RuntimeVendureConfig {
  const { apiOptions, orderOptions, paymentOptions, schedulerOptions } = config;
  const { schedule = EACH_MINUTE } = CentavoPlugin.options;
  paymentOptions.paymentMethodHandlers.push(centavoHandler);
  orderOptions.stockAllocationStrategy = new HeldStockStrategy(
    orderOptions.stockAllocationStrategy,
  );
  paymentOptions.refundProcess?.push(stayingPending);
  orderOptions.process.push(releasingProcess);
  schedulerOptions.tasks?.push(eventsTask(schedule));
  Object.assign(config.settingsStoreFields, CURSOR_FIELDS);
  // Without its leading slash the route is not found.
  const route = `/${WEBHOOK_ROUTE}`;
  apiOptions.middleware.push({ handler: keepRawBody, route, beforeListen: true });
  return config;
}
