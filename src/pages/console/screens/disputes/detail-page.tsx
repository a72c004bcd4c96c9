import { keepsFiles } from "../../../../api/disputes/files/service.ts";
import type { ApiProblem } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import { fill, textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { may, nextKey, pageStatus, type Form } from "../answers.tsx";
import { cashierOfCharge } from "../cashier/cashier-of-charge.ts";
import { asMaskedFor } from "../payment/page.tsx";
import { readPayment, readTimeline } from "../payment/payment.ts";
import { takesEvidence } from "./deadline.ts";
import { DisputeDetail } from "./detail.tsx";
import { DISPUTES_PATH, type Dispute } from "./dispute.ts";
import { evidenceForm } from "./evidence.ts";
import { companyNow } from "../../people/company-head.ts";

interface Shown {
  /** What has just been done; a word of the texts. */
  done?: string | undefined;
  /** Why something was refused, and what was typed where it was the evidence's form. */
  refused?: { form?: Form; problem: ApiProblem; status: number };
  /** A form of a file was sent without one. */
  isFileMissing?: boolean;
}

/** The page of a dispute, with the payment that it is about. */
export async function detailPage(c: ConsoleContext, dispute: Dispute, shown: Shown) {
  const { done, refused, isFileMissing = false } = shown;
  const texts = textsOf(c);
  const now = nowOf(c);
  const { transactionId } = dispute;
  const [payment, timeline] = await Promise.all([
    transactionId === null ? null : readPayment(c, transactionId),
    transactionId === null ? null : readTimeline(c, transactionId),
  ]);
  const cashier = payment === null ? null : await cashierOfCharge(c, payment);
  const seesPersonalData = may(c, "pii:read");
  const isOpen = takesEvidence(dispute, now) && may(c, "disputes:write");
  const title = fill(texts.disputes.one, { reason: texts.disputes.reasons[dispute.reason] });
  return page(
    c,
    {
      title,
      active: DISPUTES_PATH,
      status: refused === undefined ? (isFileMissing ? 400 : 200) : pageStatus(refused),
    },
    <DisputeDetail
      dispute={dispute}
      payment={payment === null ? null : asMaskedFor(c, payment)}
      cashier={cashier}
      timeline={timeline?.items ?? []}
      person={c.get("person")}
      form={isOpen ? (refused?.form ?? evidenceForm(dispute, seesPersonalData)) : null}
      keepsFiles={keepsFiles(c.env.outer.env)}
      isFileMissing={isFileMissing}
      seesPersonalData={seesPersonalData}
      mayRefund={may(c, "refunds:write")}
      idempotencyKey={nextKey(refused?.form ?? {}, refused?.status ?? 200)}
      problem={refused?.problem ?? null}
      done={done}
      now={now}
    />,
  );
}

export const headOf = (c: ConsoleContext) => ({
  title: textsOf(c).disputes.title,
  active: DISPUTES_PATH,
});

export const nowOf = (c: ConsoleContext) => companyNow(c);
