import { expect, vi } from "vitest";
import { FakeEfi } from "../../fakes/efi-cobrancas/efi.ts";
import { createTransaction } from "../charges/transaction.ts";
import { connectAccount, efiAccount } from "./accounts.ts";
import { givenPsp } from "./psp.ts";

const MINUTE_MS = 60_000;
const CUSTOMER = {
  name: "Maria da Conceição",
  email: "maria@example.com",
  document: { number: "12345678909" },
};

/** A company that sells by boleto at Efí, which lost its answers to creates of before. */
export async function givenSilentEfi() {
  const world = await givenPsp();
  const account = efiAccount();
  const { clientId } = account["settings"] as { clientId: string };
  const efi = new FakeEfi(world.clock, { clientId, clientSecret: "efi-s3cret" });
  const real = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const request = new Request(input, init);
    return request.url.startsWith("https://cobrancas.") ? efi.fetch(request) : real(request);
  });
  await connectAccount(world.company, "efi", account, world);
  const silent = async (many: number) => {
    efi.faultAlways("unavailable");
    const boletos = Array.from({ length: many }, () =>
      createTransaction(
        world.company,
        { amount: 2_500, paymentMethod: "BOLETO", customer: CUSTOMER },
        world.options,
      ),
    );
    expect(new Set((await Promise.all(boletos)).map(({ status }) => status))).toEqual(
      new Set([503]),
    );
    efi.clearFaults();
    world.clock.advance(11 * MINUTE_MS);
  };
  return { world, efi, silent };
}
