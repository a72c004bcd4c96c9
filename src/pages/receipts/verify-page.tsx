import type { Child } from "hono/jsx";
import { repeatsNames } from "../../api/receipts/repeated-names.ts";
import { verifyReceipt, verifyReceiptPdf, type Verdict } from "../../api/receipts/service.ts";
import type { CheckoutContext } from "../checkout/context.ts";
import { textsOf, useLocale, useTexts } from "../checkout/texts.ts";
import { page } from "../checkout/ui/layout.tsx";
import { fill } from "../shared/language.ts";

const PDF_MARK = "%PDF-";
/** RFC 8259 sets no limit to nesting, but a parser has one. */
const MAX_NESTING = 100;

/** The form that takes a receipt: its PDF, or the text of its JSON. */
export function verifyPage(c: CheckoutContext) {
  return formPage(c, null);
}

/** The verdict on a receipt that was sent. Nothing of it is kept. */
export async function checkedPage(c: CheckoutContext) {
  const { file, text } = await c.req.parseBody();
  const bytes =
    file instanceof File && file.size > 0
      ? new Uint8Array(await file.arrayBuffer())
      : Uint8Array.from(new TextEncoder().encode(typeof text === "string" ? text.trim() : ""));
  if (bytes.length === 0) return formPage(c, null);
  return formPage(c, await verdictOf(c, bytes));
}

async function verdictOf(c: CheckoutContext, bytes: Uint8Array<ArrayBuffer>): Promise<Verdict> {
  const { env } = c.env.outer;
  const text = new TextDecoder().decode(bytes);
  if (text.startsWith(PDF_MARK)) return verifyReceiptPdf(env, bytes);
  const document = parsed(text);
  if (document === undefined || repeatsNames(text, document)) return { genuine: false };
  return verifyReceipt(env, document);
}

/** A text as JSON; undefined for another text, or one that is nested too deep to be a receipt. */
function parsed(text: string): unknown {
  if ((text.match(/[[{]/g) ?? []).length > MAX_NESTING) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function formPage(c: CheckoutContext, verdict: Verdict | null) {
  const { verify } = textsOf(c);
  return page(
    c,
    { title: verify.title, brand: null, hasForm: true },
    <main>
      <h1>{verify.title}</h1>
      {verdict === null ? null : <VerdictNotice verdict={verdict} />}
      <p>{verify.how}</p>
      <form method="post" action="/receipts/check" enctype="multipart/form-data">
        <Labelled id="file" label={verify.file}>
          <input id="file" name="file" type="file" accept=".pdf,.json,application/pdf" />
        </Labelled>
        <Labelled id="text" label={verify.text}>
          <textarea id="text" name="text" rows={6} spellcheck={false}></textarea>
        </Labelled>
        <button class="primary" type="submit">
          {verify.submit}
        </button>
      </form>
      <p class="quiet">{verify.kept}</p>
    </main>,
  );
}

function VerdictNotice({ verdict }: { verdict: Verdict }) {
  const { verify } = useTexts();
  const { dateTime } = useLocale();
  if (!verdict.genuine) {
    return (
      <div class="notice bad" role="alert">
        <p>
          <strong>{verify.notGenuine}</strong> {verify.notGenuineText}
        </p>
      </div>
    );
  }
  const signedAt = dateTime(verdict.signedAt);
  return (
    <div class="notice good" role="status">
      <p>
        <strong>{verify.genuine}</strong>{" "}
        {fill(verify.genuineText, { company: verdict.companyId, signedAt })}
      </p>
    </div>
  );
}

function Labelled(props: { id: string; label: string; children?: Child }) {
  return (
    <div>
      <label for={props.id}>{props.label}</label>
      {props.children}
    </div>
  );
}
