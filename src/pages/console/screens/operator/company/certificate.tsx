import type { Child } from "hono/jsx";
import { PSP_PROFILES } from "../../../../../domain/psp/profiles/psp-profiles.ts";
import { fill, useLocale, useTexts } from "../../../texts.ts";
import { ActionForm, Badge, Facts, Field, Section } from "../../../ui/parts.tsx";
import type { Form } from "../../answers.tsx";
import { accountsPath } from "./accounts.tsx";
import type { Account } from "./account-terms.tsx";

type ProfileName = keyof typeof PSP_PROFILES;
const PROFILE_NAMES = Object.keys(PSP_PROFILES) as ProfileName[];
/** Lines of a PEM text that a field shows. */
const PEM_ROWS = 6;

interface PageProps {
  companyId: string;
  account: Account;
}

export function certificatePath(companyId: string | number, account: string): string {
  return `${accountsPath(companyId)}/${account}/certificate`;
}

/** The binding in use; null for none. */
function bindingOf({ settings }: Account): string | null {
  const { certificate } = settings;
  return typeof certificate === "string" ? certificate : null;
}

/** A name for the next binding: that in use with the next number. */
function nextBinding(account: Account): string {
  const present = bindingOf(account) ?? "PSP";
  const [, stem = present, number = "1"] = /^(.*?)_(\d+)$/.exec(present) ?? [];
  return `${stem}_${Number(number) + 1}`;
}

/** What is in use and how the next certificate's trials go; the page's script keeps it current. */
export function TrialSection({ companyId, account }: PageProps) {
  const { dateTime } = useLocale();
  const labels = useTexts().certificates;
  const trial = account.nextCertificate;
  const timeOf = (time: string | null) => (time === null ? labels.notYet : dateTime(time));
  const daysOf = (days: number | null) => days ?? labels.notKnown;
  const resultOf = (result: keyof typeof labels.results | null) =>
    result === null ? (
      labels.notYet
    ) : (
      <Badge tone={result === "works" ? "good" : "bad"}>{labels.results[result]}</Badge>
    );
  return (
    <div class="list" data-refresh={certificatePath(companyId, account.account)}>
      <Facts
        of={[
          [labels.inUse, bindingOf(account) ?? labels.none],
          [labels.daysLeft, daysOf(account.certificateDaysLeft)],
          ...(trial === null
            ? []
            : ([
                [labels.next, trial.binding],
                [labels.nextDaysLeft, daysOf(trial.daysLeft)],
                [labels.state, labels.states[trial.state]],
                [labels.successes, `${trial.successes} / ${trial.successesNeeded}`],
                [labels.result, resultOf(trial.result)],
                [labels.beside, resultOf(trial.beside)],
                [labels.triedAt, timeOf(trial.triedAt)],
                [labels.nextTryAt, timeOf(trial.nextTryAt)],
              ] as [string, Child][])),
        ]}
      />
    </div>
  );
}

/** Step 1: which bank, what it wants, and key and request, made in the browser or by a command. */
export function RequestSection({
  companyId,
  account,
  profile,
}: PageProps & { profile: string | undefined }) {
  const labels = useTexts().certificates;
  const name = PROFILE_NAMES.find((each) => each === profile);
  const way = name === undefined ? null : PSP_PROFILES[name].certificate;
  const file = nextBinding(account).toLowerCase().replaceAll("_", "-");
  const command = `npm run certificate -- request${name === undefined ? "" : ` --profile ${name}`} --name ${file} --common-name "..."`;
  const isByBank = way?.value === "bank";
  return (
    <Section title={labels.stepRequest}>
      <p>{labels.chooseBank}</p>
      <p>
        {PROFILE_NAMES.map((each) => (
          <>
            {each === name ? (
              <strong>{PSP_PROFILES[each].title}</strong>
            ) : (
              <a href={`${certificatePath(companyId, account.account)}?profile=${each}`}>
                {PSP_PROFILES[each].title}
              </a>
            )}{" "}
          </>
        ))}
      </p>
      <p>
        <strong>{way === null ? labels.wayUnknown : labels.ways[way.value]}</strong>
        {way === null ? null : (
          <span class="hint">
            {" "}
            {fill(labels.wayFrom, { source: way.source.name, date: way.source.date })}
          </span>
        )}
      </p>
      {isByBank ? null : (
        <>
          <RequestForm file={file} />
          <p>{labels.byCommand}</p>
          <pre class="command">{command}</pre>
        </>
      )}
    </Section>
  );
}

/** The form of the script, which stays hidden without it: nothing of it is ever sent. */
function RequestForm({ file }: { file: string }) {
  const labels = useTexts().certificates;
  return (
    <>
      <form id="certificate-request" class="action" data-file={file} hidden>
        <Field
          name="commonName"
          label={labels.commonName}
          hint={labels.commonNameHint}
          required
          maxlength={64}
        />
        <Field name="organization" label={labels.organization} maxlength={64} />
        <Field name="unit" label={labels.unit} maxlength={64} />
        <Field name="city" label={labels.city} maxlength={128} />
        <Field name="state" label={labels.stateOf} maxlength={2} />
        <button type="submit" class="primary">
          {labels.make}
        </button>
      </form>
      <div id="certificate-made" class="notice good" role="status" hidden>
        <p>{labels.made}</p>
        <p>
          <a id="key-file" href="#certificate-request">
            {labels.keyFile}
          </a>
        </p>
        <p>
          <a id="request-file" href="#certificate-request">
            {labels.requestFile}
          </a>
        </p>
      </div>
      <script src="/console/assets/certificate.js" defer></script>
    </>
  );
}

/** Step 2: what to run where the platform's credentials are. */
export function UploadSection({ account }: Pick<PageProps, "account">) {
  const labels = useTexts().certificates;
  const binding = nextBinding(account);
  const file = binding.toLowerCase().replaceAll("_", "-");
  return (
    <Section title={labels.stepUpload}>
      <p>{labels.uploadHint}</p>
      <pre class="command">
        {`npm run certificate -- upload --cert cert.pem --key ${file}.key.pem --binding ${binding}\nnpm run deploy`}
      </pre>
    </Section>
  );
}

/** Step 3: the certificate's public part, and its binding's name. */
export function NameSection(
  props: PageProps & {
    form: Form;
    errors: Record<string, string[]>;
    newKey: () => string;
  },
) {
  const { companyId, account, form, errors, newKey } = props;
  const labels = useTexts().certificates;
  const path = certificatePath(companyId, account.account);
  const field = (name: string) => ({ name, value: form[name] ?? "", errors: errors[name] });
  return (
    <Section title={labels.stepName}>
      <p>{labels.nameHint}</p>
      <ActionForm action={path} idempotencyKey={newKey()} submit={labels.name}>
        <Field
          {...field("binding")}
          value={form["binding"] ?? nextBinding(account)}
          label={labels.binding}
          hint={labels.bindingHint}
          required
        />
        <Field
          {...field("certificate")}
          label={labels.certificate}
          hint={labels.certificateHint}
          rows={PEM_ROWS}
        />
        <Field
          {...field("request")}
          label={labels.request}
          hint={labels.requestHint}
          rows={PEM_ROWS}
        />
      </ActionForm>
      {account.nextCertificate === null ? null : (
        <ActionForm
          action={`${path}/give-up`}
          idempotencyKey={newKey()}
          submit={labels.giveUp}
          isDangerous={true}
        />
      )}
    </Section>
  );
}
