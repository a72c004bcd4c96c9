import { deliverCallbacks, type PspSetup } from "./psp.ts";
import { givenTransaction } from "../charges/transaction.ts";
import { requestWithdraw, runPayout } from "../withdraws/withdraw.ts";

/** A payer pays 100.00 to a live company by PIX, and all callbacks are delivered. */
export async function receivePayment(world: PspSetup) {
  const charge = await givenTransaction(world.company, { amount: 10_000 }, world.options);
  const paymentId = world.psp.pay(charge.id.replaceAll("-", ""));
  await deliverCallbacks(world);
  return { ...world, charge, paymentId };
}

/** The company withdraws 40.00, which its PSP pays. */
export async function completePayout<Paid extends PspSetup>(paid: Paid) {
  const { company, psp, options, deps } = paid;
  const { body } = await requestWithdraw(company, { amount: 4_000 }, options);
  await runPayout(company, body.id, deps.providers(paid.env), paid.env);
  const idEnvio = [...psp.book.envios.keys()][0]!;
  psp.settlePayout(idEnvio, "REALIZADO");
  await deliverCallbacks(paid);
  return { ...paid, idEnvio };
}
