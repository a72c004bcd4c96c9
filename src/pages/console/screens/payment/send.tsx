import { saoPauloDay } from "../../../../domain/shared/business-day.ts";
import type { ConsoleContext } from "../../context.ts";
import { companyNameOf } from "../../people/company-head.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { plainPage } from "../../ui/layout.tsx";
import { SendPanel } from "../../ui/send-panel.tsx";
import { sheetOf, Sign } from "../static-codes/sign.tsx";
import { pagePath, type Payment } from "./payment.ts";

/** The PIX code that a charge is paid with; null once it is not paid by one. */
export function codeOf({ status, pix, boleto }: Payment): string | null {
  return status === "WAITING_PAYMENT" ? (pix?.qrcode ?? boleto?.qrcode ?? null) : null;
}

/** What the charge is for, in the merchant's own words; "" where none were given. */
function purposeOf({ items, externalRef }: Payment): string {
  const titles = items.map(({ title }) => title ?? "").filter((title) => title !== "");
  return titles.length === 0 ? externalRef : titles.join(", ");
}

/**
 * The ways to send a charge that waits for its payment; nothing where nothing can be paid any more. From the next day
 * on the message reminds.
 */
export function SendCharge(props: { payment: Payment; company: string; nowMs: number }) {
  const { payment, company, nowMs } = props;
  const { money } = useLocale();
  const { send: labels } = useTexts().payment;
  const code = codeOf(payment);
  const { secureUrl } = payment;
  const address = secureUrl ?? code;
  if (payment.status !== "WAITING_PAYMENT" || address === null) return null;
  const purpose = purposeOf(payment);
  const values = { company, amount: money(payment.amount), purpose, address };
  const isReminder = saoPauloDay(Date.parse(payment.createdAt)) < saoPauloDay(nowMs);
  return (
    <SendPanel
      message={fill(labels[messageOf(secureUrl, purpose, isReminder)], values)}
      phone={whatsAppNumber(payment.customer.phone)}
      whatsApp={isReminder ? labels.remind : labels.whatsApp}
      subject={fill(labels.subject, values)}
      url={secureUrl}
      qrImage={code === null ? null : `${pagePath(payment.id)}/qr.png`}
      print={code === null ? null : `${pagePath(payment.id)}/print`}
    />
  );
}

/** A Brazilian phone as WhatsApp's addresses take it; "" for a masked one or another text. */
function whatsAppNumber(phone: string): string {
  const digits = phone.replaceAll(/[\s()+-]/g, "");
  if (/^55\d{10,11}$/.test(digits)) return digits;
  return /^\d{10,11}$/.test(digits) ? `55${digits}` : "";
}

/** Without an address of the payer's page the message holds the code. */
function messageOf(secureUrl: string | null, purpose: string, isReminder: boolean) {
  if (secureUrl === null) return isReminder ? "reminderCode" : "messageCode";
  if (isReminder) return "reminder";
  return purpose === "" ? "message" : "messageFor";
}

/** The charge's QR code on a sheet to print or to show at the counter. Null where it has none. */
export function chargeSign(c: ConsoleContext, payment: Payment, title: string) {
  const code = codeOf(payment);
  if (code === null) return null;
  return plainPage(
    c,
    { title },
    <Sign
      code={code}
      amount={payment.amount}
      description={purposeOf(payment)}
      company={companyNameOf(c)}
      back={pagePath(payment.id)}
      sheet={sheetOf(c)}
    />,
  );
}
