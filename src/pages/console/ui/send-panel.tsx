import type { Child } from "hono/jsx";
import { useTexts } from "../texts.ts";
import { Section } from "./parts.tsx";

/** What is sent to a payer, and where its QR code is. */
export interface SendPanelProps {
  /** What WhatsApp and the e-mail say, with the address of the payer's page. */
  message: string;
  /** Of the e-mail. */
  subject: string;
  /** The payer's page, to copy; null where the message has all. */
  url: string | null;
  /** The path of the QR code as an image, and of the page to print; null where there is no code. */
  qrImage: string | null;
  print: string | null;
  /** Digits with the country's; by default the person picks whom to write to. */
  phone?: string;
  /** Of the button for WhatsApp, by default its name. */
  whatsApp?: string;
  children?: Child;
}

/**
 * The ways to send a charge, a link or a code to a payer. The person sends it from the own WhatsApp or mail program:
 * nothing leaves the service, and each link works without script but for the copy.
 */
export function SendPanel(props: SendPanelProps) {
  const { send: labels } = useTexts().payment;
  const shell = useTexts().shell;
  const { message, subject, url, qrImage, print, phone = "" } = props;
  const text = encodeURIComponent(message);
  return (
    <Section title={labels.title}>
      {props.children}
      <ul class="send">
        <li>
          <a
            class="button"
            href={`https://wa.me/${phone}?text=${text}`}
            target="_blank"
            rel="noreferrer"
          >
            {props.whatsApp ?? labels.whatsApp}
          </a>
        </li>
        <li>
          <a class="button" href={`mailto:?subject=${encodeURIComponent(subject)}&body=${text}`}>
            {labels.email}
          </a>
        </li>
        {url === null ? null : (
          <li>
            <button type="button" data-copy={url} data-copied={shell.copied}>
              {labels.copyLink}
            </button>
          </li>
        )}
        {qrImage === null ? null : (
          <li>
            <a class="button" href={qrImage} download="">
              {labels.qrImage}
            </a>
          </li>
        )}
        {print === null ? null : (
          <li>
            <a class="button" href={print}>
              {labels.print}
            </a>
          </li>
        )}
      </ul>
      {url === null ? null : <p class="hint send-url">{url}</p>}
    </Section>
  );
}
