import { randomUUID } from "node:crypto";
import { parsePixKey, type PixKeyType } from "../../../../src/domain/shared/pix-key.ts";
import { decimalReais } from "../../../../src/domain/shared/money.ts";
import type { ListedPayment, RefundOrder } from "../../../../src/providers/provider.ts";
import type { PayoutOrder } from "../../../../src/domain/withdraws/withdraw.ts";
import type { Bench } from "../bench.ts";
import type { PspCheckConfig } from "../config.ts";
import { randomEndToEndId, randomTxid } from "../ids.ts";
import { demandMissing, demandRefused, type Point } from "../point.ts";

const HOUR_MS = 3_600_000;

const withoutPayment = ({ payment }: PspCheckConfig) =>
  payment === null ? "the file names no `payment` of the test account" : null;
const withoutWebhook = ({ webhookUrl }: PspCheckConfig) =>
  webhookUrl === null ? "the file names no `webhookUrl`" : null;
const withoutPayouts = ({ api }: PspCheckConfig) =>
  api.payouts === null ? "the file has no `payouts`" : null;

/** The test payment as the adapter reads it. */
async function readPayment(bench: Bench): Promise<ListedPayment> {
  const { endToEndId } = named(bench);
  const read = await bench.provider.findPayment(endToEndId);
  bench.demand(read.kind === "known", `the gateway reads ${read.kind}`);
  return read.payment;
}

function named(bench: Bench): NonNullable<PspCheckConfig["payment"]> {
  const { payment } = bench.config;
  if (payment === null) throw new Error("The file names no payment.");
  return payment;
}

/** The refund that the check makes: the same at each call. */
function refundOf(bench: Bench): RefundOrder {
  const { endToEndId, returned } = named(bench);
  return { refundId: bench.refundId, chargeId: null, paymentId: endToEndId, amount: returned };
}

/** Payments, what goes back of them, the webhook, and what leaves the account. */
export const MONEY_POINTS: Point[] = [
  {
    name: "pix_missing",
    needs: ["token"],
    run: async (bench: Bench) =>
      demandMissing(bench, await bench.call({ path: ["pix", randomEndToEndId()] })),
  },
  {
    name: "pix_read",
    needs: ["pix_list"],
    leftOut: withoutPayment,
    run: async (bench: Bench) => {
      const { paidAt, paymentId } = await readPayment(bench);
      const window = { from: paidAt - HOUR_MS, to: paidAt + HOUR_MS };
      const read = await bench.provider.list("payments", window, 0);
      const has =
        read.kind === "known" &&
        (read.hasMore ||
          read.records.some(
            (each) => each.kind === "payment" && each.payment.paymentId === paymentId,
          ));
      bench.demand(has, "its list lacks it");
    },
  },
  {
    name: "refund_missing",
    needs: ["token"],
    run: async (bench: Bench) => {
      const of = bench.config.payment?.endToEndId ?? randomEndToEndId();
      demandMissing(bench, await bench.call({ path: ["pix", of, "devolucao", randomTxid()] }));
    },
  },
  {
    name: "refund_create",
    needs: ["pix_read", "refund_missing"],
    leftOut: withoutPayment,
    run: async (bench: Bench) => {
      const order = refundOf(bench);
      const sent = await bench.provider.sendRefund(order);
      const isSent = sent.kind === "processing" || sent.kind === "done";
      bench.demand(isSent, `the gateway reads ${sent.kind}`);
      const found = await bench.provider.findRefund(order);
      const isFound = found.kind === "processing" || found.kind === "done";
      bench.demand(isFound, `GET then reads ${found.kind}`);
    },
  },
  {
    name: "refund_repeat",
    needs: ["refund_create"],
    leftOut: withoutPayment,
    run: async (bench: Bench) => {
      const before = await readPayment(bench);
      await bench.provider.sendRefund(refundOf(bench));
      const repeated = bench.last;
      const after = await readPayment(bench);
      const isSame = after.refunds.length === before.refunds.length;
      bench.demand(isSame, "the payment has another devolução then", repeated);
    },
  },
  {
    name: "refund_too_much",
    needs: ["pix_read", "refund_missing"],
    leftOut: withoutPayment,
    run: async (bench: Bench) => {
      const { amount, paymentId } = await readPayment(bench);
      const path = ["pix", paymentId, "devolucao", randomTxid()];
      const body = { valor: decimalReais(amount + 100) };
      demandRefused(bench, await bench.call({ method: "PUT", path, body }));
    },
  },
  {
    name: "webhook",
    needs: ["token"],
    leftOut: withoutWebhook,
    run: async (bench: Bench) => {
      const { api, webhookUrl } = bench.config;
      const path = ["webhook", api.pixKey];
      const before = await bench.call({ path });
      const outcome = await bench.provider.registerWebhook(webhookUrl ?? "");
      bench.demand(outcome.kind === "registered", `the gateway reads ${outcome.kind}`);
      const after = await bench.call({ path });
      const shown = urlOf(after.body);
      const earlier = urlOf(before.body);
      if (earlier === null) await bench.call({ method: "DELETE", path });
      else await bench.provider.registerWebhook(earlier);
      bench.demand(shown === webhookUrl, `GET shows ${shown}`, after.exchange);
    },
  },
  {
    name: "payout_missing",
    needs: ["token"],
    leftOut: withoutPayouts,
    run: async (bench: Bench) => {
      const path = ["v2", "gn", "pix", "enviados", "id-envio", randomTxid()];
      demandMissing(bench, await bench.call({ base: bench.config.api.payouts?.url ?? "", path }));
    },
  },
  {
    name: "payout_list",
    needs: ["token"],
    leftOut: withoutPayouts,
    run: async (bench: Bench) => {
      const window = { from: Date.now() - HOUR_MS, to: Date.now() };
      const read = await bench.provider.list("payouts", window, 0);
      bench.demand(read.kind === "known", `the gateway reads ${read.kind}`);
    },
  },
  {
    name: "balance",
    needs: ["token"],
    leftOut: withoutPayouts,
    run: async (bench: Bench) => {
      const read = await bench.provider.balance();
      bench.demand(read.kind === "known", `the gateway reads ${read.kind}`);
    },
  },
  {
    name: "payout_send",
    needs: ["payout_missing", "payout_list", "balance"],
    leftOut: (config) =>
      withoutPayouts(config) ?? (config.payout === null ? "no `payout` with `--pay`" : null),
    run: async (bench: Bench) => {
      const { amount = 0, pixKey = "" } = bench.config.payout ?? {};
      const order: PayoutOrder = {
        payoutId: randomUUID(),
        amount,
        pixKey,
        pixKeyType: keyTypeOf(pixKey),
        creditorDocument: "",
        description: "psp-check",
      };
      const sent = await bench.provider.sendPayout(order);
      const isSent = sent.kind === "processing" || sent.kind === "paid";
      bench.demand(isSent, `the gateway reads ${sent.kind}`);
      await bench.provider.sendPayout(order);
      const window = { from: Date.now() - HOUR_MS, to: Date.now() + HOUR_MS };
      const read = await bench.provider.list("payouts", window, 0);
      const records = read.kind === "known" ? read.records : [];
      const ours = records.filter(
        (each) => each.kind === "payout" && each.payoutId === order.payoutId,
      );
      bench.demand(ours.length === 1, `the list has it ${ours.length} times`);
    },
  },
];

/** The type of a key that the file was checked to have. */
function keyTypeOf(pixKey: string): PixKeyType {
  const verdict = parsePixKey(pixKey);
  if (verdict.kind !== "valid") throw new Error(`${pixKey} is no PIX key.`);
  return verdict.key.type;
}

/** The URL of a registered webhook; null where there is none. */
function urlOf(body: unknown): string | null {
  const { webhookUrl } = (body ?? {}) as { webhookUrl?: unknown };
  return typeof webhookUrl === "string" ? webhookUrl : null;
}
