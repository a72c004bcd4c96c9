import { describe, expect, it } from "vitest";
import type { Provider } from "../../src/providers/provider.ts";
import {
  payoutOrder,
  pixOrder,
  refundOrder,
} from "../support/builders/providers/provider-orders.ts";
import {
  deliverCallbacks,
  givenPsp,
  postCallback,
  type PspSetup,
} from "../support/builders/providers/psp.ts";
import { createTransaction, givenTransaction } from "../support/builders/charges/transaction.ts";
import { pspConfig, pspProvider } from "../support/fakes/fake-psp/provider.ts";
import { FakePsp } from "../support/fakes/fake-psp/psp.ts";
import { changedTables, stateOf } from "../support/probes/database/company-state.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";

const PSP_URL = "https://psp.example.com";
const TIMEOUT_MS = 300;
/** Centavos; a company without a movement has no account. */
const availableOf = async ({ company }: PspSetup) => (await accountsOf(company))["available"] ?? 0;
const txidOf = ({ id }: { id: string }) => id.replaceAll("-", "");

/** What a PSP, or whoever sits in front of it, may answer to every call. */
const HOSTILE: Record<string, () => Response | Promise<Response>> = {
  "a redirect to another host": () =>
    new Response(null, { status: 307, headers: { Location: "https://evil.example.com/cob" } }),
  "a redirect to the metadata service": () =>
    new Response(null, { status: 302, headers: { Location: "http://169.254.169.254/latest" } }),
  "a body without an end": () =>
    new Response(
      new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }),
    ),
  silence: () => new Promise<Response>(() => undefined),
  "a body that stalls": () =>
    new Response(new ReadableStream({ pull: () => new Promise(() => {}) })),
  "a page of HTML": () => new Response("<html><script>alert(1)</script></html>"),
  nothing: () => new Response(null, { status: 200 }),
  "JSON that is no object": () => Response.json([1, "a", null]),
  "deeply nested JSON": () => new Response("[".repeat(50_000) + "]".repeat(50_000)),
  "JSON that reaches for a prototype": () =>
    new Response('{"__proto__":{"status":"CONCLUIDA"},"constructor":{"prototype":{"a":1}}}'),
  "numbers for texts": () => Response.json({ status: 1, txid: 2, valor: { original: 3 } }),
  "amounts that are none": () =>
    Response.json({ status: "CONCLUIDA", valor: { original: "1e400" }, pix: [{ valor: "-1.00" }] }),
  "an invented status": () => Response.json({ status: "PAGA_COM_CERTEZA" }, { status: 201 }),
  "bytes that are no UTF-8": () => new Response(Uint8Array.from([0x7b, 0xff, 0xfe, 0x7d])),
  "texts of a megabyte": () => Response.json({ status: "x".repeat(1_000_000) }),
};

/** Every call of the port. */
function everyCall(bank: Provider): Record<string, Promise<{ kind: string }>> {
  const { chargeId } = pixOrder();
  const refund = refundOrder({ chargeId, paymentId: "E1" }, 1);
  return {
    createCharge: bank.createCharge(pixOrder()),
    findCharge: bank.findCharge(chargeId),
    findPayment: bank.findPayment("E12345678202611211000abcdefghijk"),
    cancelCharge: bank.cancelCharge(chargeId),
    sendRefund: bank.sendRefund(refund),
    findRefund: bank.findRefund(refund),
    sendPayout: bank.sendPayout(payoutOrder()),
    findPayout: bank.findPayout(payoutOrder().payoutId),
    list: bank.list("payments", { from: 0, to: 1 }, 0),
  };
}

describe.each(Object.entries(HOSTILE))("%s", (_name, hostile) => {
  it("is no answer to any call, and no credential goes elsewhere", async () => {
    const hosts = new Set<string>();
    const psp = new FakePsp();
    const bank = pspProvider(
      pspConfig(PSP_URL),
      async (request) => {
        hosts.add(new URL(request.url).host);
        expect(request.redirect).toBe("manual");
        return request.url.endsWith("/token") ? psp.fetch(request) : hostile();
      },
      { timeoutMs: TIMEOUT_MS },
    );
    for (const [call, answer] of Object.entries(everyCall(bank))) {
      expect((await answer).kind, call).toBe("unknown");
    }
    expect([...hosts]).toEqual(["psp.example.com"]);
  });

  it("is no token", async () => {
    const asked: string[] = [];
    const bank = pspProvider(
      pspConfig(PSP_URL),
      async (request) => {
        asked.push(new URL(request.url).pathname);
        return hostile();
      },
      { timeoutMs: TIMEOUT_MS },
    );
    expect((await bank.findCharge(pixOrder().chargeId)).kind).toBe("unknown");
    expect(new Set(asked)).toEqual(new Set(["/oauth/token"]));
  });
});

describe("a PSP that lies in a callback", () => {
  it("credits nothing that the PSP's own record does not have", async () => {
    const world = await givenPsp();
    const charge = await givenTransaction(world.company, { amount: 2_500 }, world.options);
    const claims = [
      { txid: txidOf(charge), endToEndId: `E${"1".repeat(31)}`, valor: "25.00" },
      { txid: txidOf(charge), endToEndId: `E${"2".repeat(31)}`, valor: "999999999.99" },
      { txid: txidOf(charge), endToEndId: `E${"3".repeat(31)}`, valor: "-25.00" },
      { txid: "../../oauth/token", endToEndId: "E/../..", valor: "NaN" },
    ];
    for (const claim of claims) {
      const pix = [{ ...claim, horario: "2026-11-22T00:00:00.000Z" }];
      await postCallback(world, world.configured.callbackUrl, JSON.stringify({ pix }));
    }
    expect(await availableOf(world)).toBe(0);
  });

  it("about another company's charge changes nothing of that company", async () => {
    const [liar, victim] = [await givenPsp(), await givenPsp()];
    const created = await createTransaction(victim.company, { amount: 2_500 }, victim.options);
    const txid = txidOf(created.body.data);
    const before = await stateOf(victim.company);
    const pix = [{ txid, endToEndId: `E${"4".repeat(31)}`, valor: "25.00" }];
    await postCallback(liar, liar.configured.callbackUrl, JSON.stringify({ pix }));
    expect(changedTables(before, await stateOf(victim.company))).toEqual([]);
    expect(await availableOf(liar)).toBe(0);
  });

  it("about less than was charged credits what its record says came", async () => {
    const world = await givenPsp();
    const charge = await givenTransaction(world.company, { amount: 2_500 }, world.options);
    world.psp.pay(txidOf(charge), "0.01");
    await deliverCallbacks(world);
    expect(await availableOf(world)).toBe(1);
  });
});
