import type { DebitFate } from "../../support/fakes/fake-psp/automatic/debit-book.ts";
import type { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import { pick } from "../agreement/pick.ts";

/** What payers and their banks do. Numbers select an item modulo the number of items. */
export type BankAct =
  | { do: "approve"; which: number; town: string; pays: boolean }
  | { do: "refuse"; which: number }
  | { do: "payerCancels"; which: number }
  | { do: "decide"; which: number; fates: DebitFate[] }
  | { do: "payCode"; which: number };

const ACTS = new Set(["approve", "refuse", "payerCancels", "decide", "payCode"]);

export function isBankAct(step: { do: string }): step is BankAct {
  return ACTS.has(step.do);
}

/** Acts if there is something to act on. */
export function actAtBank(psp: FakePsp, step: BankAct): void {
  const mandates = [...psp.mandates.mandates.values()];
  const waiting = mandates.filter(({ status }) => status === "CRIADA");
  switch (step.do) {
    case "approve": {
      if (waiting.length === 0) return;
      const { idRec, body } = pick(waiting, step.which);
      const txid: string | undefined = body.ativacao?.dadosJornada?.txid;
      psp.mandates.approve(idRec, { codMun: step.town });
      if (txid !== undefined && step.pays && isPayable(psp, txid)) psp.pay(txid);
      return;
    }
    case "refuse":
      return waiting.length === 0
        ? undefined
        : psp.mandates.refuse(pick(waiting, step.which).idRec);
    case "payerCancels": {
      const approved = mandates.filter(({ status }) => status === "APROVADA");
      if (approved.length > 0) psp.mandates.cancelByPayer(pick(approved, step.which).idRec);
      return;
    }
    case "decide": {
      const open = [...psp.debits.debits.values()].filter(({ status }) => status === "ATIVA");
      if (open.length > 0) psp.debits.decide(pick(open, step.which).txid, ...step.fates);
      return;
    }
    case "payCode": {
      const codes = [...psp.book.cobs.keys()].filter((txid) => isPayable(psp, txid));
      if (codes.length > 0) psp.pay(pick(codes, step.which));
      return;
    }
  }
}

function isPayable(psp: FakePsp, txid: string): boolean {
  return psp.book.cobs.get(txid)?.status === "ATIVA";
}
