import type {
  CancelOutcome,
  CaptureOutcome,
  CardDeletion,
  ChargeOutcome,
  ExtendOutcome,
  PaymentReport,
  PayoutLookup,
  PayoutOutcome,
  Provider,
  ListPage,
  ProviderBalance,
  RefundLookup,
  RefundOutcome,
} from "../../../src/providers/provider.ts";
import type { ChargeOrder, ChargeReport } from "../../../src/providers/charge.ts";
import type { PaymentMethod } from "../../../src/domain/charges/charge-status.ts";
import type { FieldErrors } from "../../../src/domain/shared/problem.ts";
import type { Dependencies } from "../../../src/http/context.ts";
import { providerRegistry, type ProviderRegistry } from "../../../src/providers/registry.ts";
import { env } from "../builders/companies/env.ts";

type CreateBehavior = (order: ChargeOrder) => Promise<ChargeOutcome>;

/** A provider that responds as the test says and records its charges. */
export class ScriptedProvider implements Provider {
  readonly name = "Sandbox";
  readonly account = "sandbox";
  readonly cardTokenisation = null;
  readonly savesCards = false;
  readonly mandates = null;
  readonly pixKey = null;
  readonly pspClient = null;
  readonly lists = [] as const;
  readonly idempotentPayouts = true;
  readonly idempotentRefunds = true;
  readonly refundMethods = [] as const;
  readonly orders: ChargeOrder[] = [];
  readonly paymentMethods: readonly PaymentMethod[];
  onCreate: CreateBehavior;

  constructor(answer: CreateBehavior, paymentMethods: readonly PaymentMethod[] = ["PIX"]) {
    this.onCreate = answer;
    this.paymentMethods = paymentMethods;
  }

  requirements(): readonly never[] {
    return [];
  }

  orderFaults(): FieldErrors {
    return {};
  }

  createCharge(order: ChargeOrder): Promise<ChargeOutcome> {
    this.orders.push(order);
    return this.onCreate(order);
  }

  async findCharge(): Promise<ChargeReport> {
    return { kind: "unknown" };
  }

  async findPayment(): Promise<PaymentReport> {
    return { kind: "unknown" };
  }

  async cancelCharge(): Promise<CancelOutcome> {
    return { kind: "unknown" };
  }

  async extendCharge(): Promise<ExtendOutcome> {
    return { kind: "unknown" };
  }

  async cardOfToken(): Promise<null> {
    return null;
  }

  async deleteCard(): Promise<CardDeletion> {
    return { kind: "deleted" };
  }

  async captureCharge(): Promise<CaptureOutcome> {
    return { kind: "unknown" };
  }

  async sendRefund(): Promise<RefundOutcome> {
    return { kind: "unknown" };
  }

  async findRefund(): Promise<RefundLookup> {
    return { kind: "unknown" };
  }

  async sendPayout(): Promise<PayoutOutcome> {
    return { kind: "unknown" };
  }

  async findPayout(): Promise<PayoutLookup> {
    return { kind: "unknown" };
  }

  async list(): Promise<ListPage> {
    return { kind: "unknown" };
  }

  async balance(): Promise<ProviderBalance> {
    return { kind: "unsupported" };
  }

  /** The dependencies of an app whose companies all have this provider. */
  get deps(): Pick<Dependencies, "providers"> {
    const registry: ProviderRegistry = {
      ...providerRegistry(env),
      forCharge: (_company, method) => (this.paymentMethods.includes(method) ? this : null),
      routesFor: (_company, method) => (this.paymentMethods.includes(method) ? [this] : []),
      accountsFor: (_company, method) => (this.paymentMethods.includes(method) ? [this] : []),
      accountFor: (_company, method, account) =>
        this.paymentMethods.includes(method) && account === this.account ? this : null,
      forPayout: () => this,
      ofAccount: async () => this,
    };
    return { providers: () => registry };
  }
}

function expiryOf(order: ChargeOrder): number {
  if (order.paymentMethod === "CREDIT_CARD") throw new Error("this bank knows no cards");
  return order.expiresAt;
}

export const registerCharge: CreateBehavior = async (order) => ({
  kind: "registered",
  pix: { qrcode: `qr-${order.chargeId}`, url: null, expirationDate: expiryOf(order) },
});

export const refuseCharge: CreateBehavior = async () => ({
  kind: "refused",
  message: "The bank does not register this charge.",
});

export const giveNoResponse: CreateBehavior = async () => ({ kind: "unknown" });

export const throwError: CreateBehavior = async () => {
  throw new Error("socket hang up at 10.0.0.7");
};

/** A provider that responds only when it is released. */
export function blockingProvider(): {
  provider: ScriptedProvider;
  asked: Promise<void>;
  letGo: () => void;
} {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const provider = new ScriptedProvider(async (order) => {
    asked.resolve();
    await gate.promise;
    return registerCharge(order);
  });
  return { provider, asked: asked.promise, letGo: () => gate.resolve() };
}
