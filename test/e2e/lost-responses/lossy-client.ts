import { rmSync } from "node:fs";
import { expect } from "vitest";
import { callersAt } from "../../kill/lib/callers.ts";
import { observe, type Observed } from "../../kill/lib/observe.ts";
import { Merchant, type MerchantAnswer } from "../../../tools/lib/merchant.ts";
import { startService } from "../../../tools/lib/service.ts";
import { startLossyProxy, type LostAnswer } from "./lossy-proxy.ts";
import { givenStateDir } from "../state-dir.ts";

interface ApiRequest {
  method: "POST" | "PUT";
  path: string;
  body?: Record<string, unknown>;
  key?: string;
  /** Replaces the company's credentials. */
  headers?: Record<string, string>;
}

export interface LossyClient {
  base: string;
  merchant: Merchant;
  /**
   * Sends a request, drops its response on the way to the client, and returns the dropped
   * response.
   */
  sendLosingResponse(request: ApiRequest): Promise<LostAnswer>;
  /** Sends a request normally, as a retry does. */
  send(request: ApiRequest): Promise<MerchantAnswer>;
  /** Creates a transaction of `amount` centavos; returns its id. */
  create(amount: number): Promise<string>;
  /** Creates a paid transaction of `amount` centavos; returns its id. */
  givenPaid(amount: number): Promise<string>;
  /** The changes of the company's ledger and lists while `act` ran. */
  changesBy(act: () => Promise<void>): Promise<Changes>;
  close(): Promise<void>;
}

interface Changes {
  available: number;
  credit: number;
  transactions: number;
  withdraws: number;
  /** Types of the booked movements, in order. */
  movements: string[];
}

/** The real service with an empty database, and a client of company 1 that can lose responses. */
export async function startLossyClient(): Promise<LossyClient> {
  const stateDir = await givenStateDir("lossy");
  const service = await startService({ stateDir });
  const proxy = await startLossyProxy(service.base);
  const merchant = new Merchant(service.base);
  const lossy = new Merchant(proxy.base);
  let keys = 0;

  const create = async (amount: number): Promise<string> => {
    keys += 1;
    const created = await merchant.create({ amount, paymentMethod: "PIX" }, `given_${keys}`);
    expect(created.status).toBe(200);
    return created.body.data.id;
  };

  return {
    base: service.base,
    merchant,
    sendLosingResponse: async (request) => {
      const before = proxy.forwardedCount();
      const lost = proxy.loseNextResponse();
      await expect(sendAs(lossy, request)).rejects.toThrow();
      expect(proxy.forwardedCount()).toBe(before + 1);
      return lost;
    },
    send: (request) => sendAs(merchant, request),
    create,
    givenPaid: async (amount) => {
      const id = await create(amount);
      expect((await merchant.pay(id)).status).toBe(200);
      return id;
    },
    changesBy: async (act) => {
      const callers = callersAt(service.base);
      const before = await observe(callers, merchant.companyId);
      await act();
      return difference(before, await observe(callers, merchant.companyId));
    },
    close: async () => {
      await proxy.close();
      await service.stop();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

function sendAs(merchant: Merchant, { method, path, body, key, headers }: ApiRequest) {
  return merchant.call(method, path, body, {
    ...headers,
    ...(key === undefined ? {} : { "Idempotency-Key": key }),
  });
}

/** In the sandbox a withdraw with this ending stays Processing until a test settles it. */
const UNANSWERED_CENTS = 98;

function difference(before: Observed, after: Observed): Changes {
  // The sandbox pays these within seconds, possibly during a later test.
  const payable = before.withdraws.filter(
    ({ status, amount }) =>
      (status === "Awaiting" || status === "Processing") && amount % 100 !== UNANSWERED_CENTS,
  );
  const isOfEarlier = ({ type, withdrawId }: Observed["movements"][number]) =>
    type === "withdraw_paid" && payable.some(({ id }) => id === withdrawId);
  return {
    available: after.balance.available - before.balance.available,
    credit: after.balance.credit - before.balance.credit,
    transactions: after.transactions.length - before.transactions.length,
    withdraws: after.withdraws.length - before.withdraws.length,
    movements: after.movements
      .slice(before.movements.length)
      .filter((movement) => !isOfEarlier(movement))
      .map((movement) => movement.type),
  };
}
