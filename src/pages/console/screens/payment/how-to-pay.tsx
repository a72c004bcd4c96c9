import { methodOf } from "../../../../methods/registry.ts";
import { QrCode } from "../../../shared/qr-code.tsx";
import { useLocale, useTexts } from "../../texts.ts";
import { Facts, Section } from "../../ui/parts.tsx";
import type { Payment } from "./payment.ts";

/** The PIX code and the boleto of a charge that waits for its payment. */
export function HowToPay({ payment }: { payment: Payment }) {
  const { date } = useLocale();
  const { payment: labels } = useTexts();
  if (payment.status !== "WAITING_PAYMENT") return null;
  const { code, slip } = methodOf(payment.paymentMethod).howToPay(payment);
  if (code === null && slip === null) return null;
  return (
    <Section title={labels.payTitle}>
      <div class="pay">
        {code === null ? null : <QrCode code={code} label={labels.qr} />}
        <div>
          {code === null ? null : <Copyable id="pix-code" label={labels.pixCode} value={code} />}
          {slip === null ? null : (
            <>
              <Copyable
                id="line"
                label={labels.line}
                value={slip.digitableLine}
                shown={slip.formattedLine}
              />
              <Facts of={[[labels.dueDate, date(slip.dueDate)]]} />
              <p class="actions">
                <a class="button" href={slip.url}>
                  {labels.slip}
                </a>
                <a class="button" href={slip.pdfUrl}>
                  {labels.slipPdf}
                </a>
              </p>
            </>
          )}
        </div>
      </div>
    </Section>
  );
}

/** A text to copy; selectable without script. */
export function Copyable(props: { id: string; label: string; value: string; shown?: string }) {
  const texts = useTexts();
  const { id, label, value, shown = value } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} class="code" readonly value={shown} />
      <p>
        <button type="button" data-copy={value} data-copied={texts.shell.copied}>
          {texts.shell.copy}
        </button>
      </p>
    </div>
  );
}
