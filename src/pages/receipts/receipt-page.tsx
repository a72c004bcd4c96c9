import { publicOrigin } from "../../config.ts";
import { NO_BRAND } from "../../domain/shared/company.ts";
import type { CheckoutContext } from "../checkout/context.ts";
import { localeOf, textsOf } from "../checkout/texts.ts";
import { page } from "../checkout/ui/layout.tsx";
import { Facts } from "../checkout/ui/parts.tsx";
import { QrCode } from "../shared/qr-code.tsx";
import { VERIFY_PATH, type PublicReceipt } from "./receipt.ts";

/** A receipt for whoever was given its link: what was paid, when, to whom, and whether it still stands. */
export function receiptPage(c: CheckoutContext, { secureId, payee, receipt }: PublicReceipt) {
  const texts = textsOf(c);
  const { money, dateTime } = localeOf(c);
  const { labels } = texts;
  const { paidAmount, refundedAmount, paidAt, endToEndId, payer } = receipt;
  const brand = { ...NO_BRAND, ...payee.brand };
  const name = brand.name ?? payee.name;
  const path = `/r/${secureId}`;
  return page(
    c,
    {
      title: texts.receipt.title,
      brand: { ...brand, name },
      isTest: payee.mode === "sandbox",
    },
    <main>
      <h1>{texts.receipt.title}</h1>
      <p class="amount">{money(paidAmount)}</p>
      {refundedAmount === 0 ? null : <p class="notice">{texts.receipt.refunded}</p>}
      <Facts
        of={[
          [labels.payee, name],
          [labels.bankName, name === payee.name ? null : payee.name],
          [labels.paidAt, dateTime(paidAt)],
          [labels.refunded, refundedAmount === 0 ? null : money(refundedAmount)],
          [texts.receipt.payer, payer.name === "" ? null : payer.name],
          [texts.receipt.document, payer.documentMasked === "" ? null : payer.documentMasked],
          [texts.receipt.endToEndId, endToEndId],
          [texts.receipt.transaction, receipt.transactionId],
        ]}
      />
      <a class="button primary" href={`${path}/receipt.pdf`}>
        {texts.receipt.pdf}
      </a>
      <QrCode code={publicOrigin(c.env.outer.env, c.req.url) + path} label={texts.receipt.qr} />
      <p class="quiet">{texts.receipt.how}</p>
      <p class="quiet">
        <a href={VERIFY_PATH}>{texts.receipt.verify}</a>
      </p>
    </main>,
  );
}
