import { QrCode } from "../../../shared/qr-code.tsx";
import { useLocale, useTexts } from "../../texts.ts";
import { Facts, Section } from "../../ui/parts.tsx";
import type { Payment } from "./payment.ts";

/** The PIX code and the boleto of a charge that waits for its payment. */
export function HowToPay({ payment }: { payment: Payment }) {
  const { date } = useLocale();
  const { payment: words } = useTexts();
  if (payment.status !== "WAITING_PAYMENT") return null;
  const { boleto } = payment;
  const code = payment.pix?.qrcode ?? boleto?.qrcode ?? null;
  if (code === null && boleto === undefined) return null;
  return (
    <Section title={words.payTitle}>
      <div class="pay">
        {code === null ? null : <QrCode code={code} label={words.qr} />}
        <div>
          {code === null ? null : <Copyable id="pix-code" label={words.pixCode} value={code} />}
          {boleto === undefined ? null : (
            <>
              <Copyable
                id="line"
                label={words.line}
                value={boleto.digitableLine}
                shown={boleto.formattedLine}
              />
              <Facts of={[[words.dueDate, date(boleto.dueDate)]]} />
              <p class="actions">
                <a class="button" href={boleto.url}>
                  {words.slip}
                </a>
                <a class="button" href={boleto.pdfUrl}>
                  {words.slipPdf}
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
