import type { PayerCharge } from "./charge.ts";
import { tabOf } from "./frame.ts";
import { useTexts } from "./texts.ts";
import { Code, CopyButton } from "./ui/parts.tsx";

/** The boleto of an open charge: its line, the slip, and what happens after. Nothing for a charge without one. */
export function BoletoPart({ charge }: { charge: PayerCharge }) {
  const { boleto } = useTexts();
  const { slip, code } = charge;
  if (slip === null) return null;
  const path = `/boletos/${charge.secureId}`;
  return (
    <>
      {code === null ? null : <h2>{boleto.or}</h2>}
      <CopyButton of="boleto-line" button={boleto.copy} />
      <Code
        id="boleto-line"
        label={boleto.line}
        value={slip.digitableLine}
        shown={slip.formattedLine}
      />
      <a class="button" href={path} {...tabOf(charge.frame)}>
        {boleto.slip}
      </a>
      <a class="button" href={`${path}.pdf`} {...tabOf(charge.frame)}>
        {boleto.pdf}
      </a>
      <p class="quiet">{code === null ? boleto.afterOnly : boleto.after}</p>
    </>
  );
}
