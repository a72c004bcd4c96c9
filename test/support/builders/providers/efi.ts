import { vi } from "vitest";
import { createTransaction } from "../charges/transaction.ts";
import { FakeEfi } from "../../fakes/efi-cobrancas/efi.ts";
import { connectAccount, efiAccount } from "./accounts.ts";
import { efiCardOrder } from "./efi-orders.ts";
import { givenPsp, postCallback } from "./psp.ts";

const HOST = "cobrancas.banco-de-teste.com.br";

/**
 * A live company that sells by boleto and card at Efí, which the Worker reaches by HTTP, and by PIX at another bank. A test
 * that uses it restores its mocks.
 */
export async function givenEfi() {
  const world = await givenPsp();
  const settings = { payeeCode: `payee-${world.company.id}` };
  const account = efiAccount(settings, { methods: ["BOLETO", "CREDIT_CARD"] });
  const { clientId } = account["settings"] as { clientId: string };
  const efi = new FakeEfi(world.clock, { clientId, clientSecret: "efi-s3cret" });
  const real = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const request = new Request(input, init);
    return new URL(request.url).host === HOST ? efi.fetch(request) : real(request);
  });
  await connectAccount(world.company, "efi", account, world);
  const { company, options } = world;
  const create = async (body: object) => {
    const answer = await createTransaction(company, body as Record<string, unknown>, options);
    if (answer.status !== 200) throw new Error(`create answered ${answer.status}: ${answer.text}`);
    return answer.body.data;
  };
  /** Efí posts what has changed, each change five times. */
  const notify = async () => {
    const statuses: number[] = [];
    for (const { url, token } of efi.book.notices.splice(0)) {
      const body = new URLSearchParams({ notification: token });
      statuses.push((await postCallback(world, url, body)).status);
    }
    return new Set(statuses);
  };
  return { ...world, efi, create, notify, token: () => efiCardOrder().card.source.token };
}
