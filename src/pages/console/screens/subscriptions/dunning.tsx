import type { createRoute } from "../../../../api/subscriptions/routes.ts";
import { METHODS_WITH_CODE } from "../../../../domain/charges/charge-status.ts";
import { DUNNING_DAYS, DUNNING_DAYS_MAX } from "../../../../domain/subscriptions/dunning.ts";
import { DUNNING_ENDS, DUNNING_LINKS } from "../../../../domain/subscriptions/subscription.ts";
import type { JsonOf } from "../../../../http/openapi/route-types.ts";
import type { ApiProblem } from "../../api.ts";
import { asTyped } from "../../form.ts";
import { fill, useTexts } from "../../texts.ts";
import { ActionForm, Choice, Field } from "../../ui/parts.tsx";
import type { Form } from "../answers.tsx";
import { subscriptionPath, type Subscription } from "./subscription.ts";

type DunningRequest = NonNullable<JsonOf<typeof createRoute>["dunning"]>;

const DIGITS = /^\d+$/;

/** What a form says of cycles that stay unpaid. */
export function dunningRequest(form: Form): DunningRequest {
  const days = (form["dunningDays"] ?? "").trim();
  const savedCardId = (form["dunningCard"] ?? "").trim();
  return {
    ...(savedCardId === "" ? {} : { savedCardId }),
    link: asTyped(form["dunningLink"] ?? "none"),
    method: asTyped(form["dunningMethod"] ?? METHODS_WITH_CODE[0]),
    then: asTyped(form["dunningThen"] ?? "none"),
    ...(days === "" ? {} : { days: DIGITS.test(days) ? Number(days) : asTyped(days) }),
  };
}

/** What is done about cycles that stay unpaid, in a sentence for each part. */
export function dunningInWords(
  { link, method, savedCardId, days, then }: Subscription["dunning"],
  labels: ReturnType<typeof useTexts>["subscriptions"]["dunning"],
): string {
  const after = days === 1 ? labels.oneDay : fill(labels.days, { days });
  const said = [
    ...(savedCardId === null ? [] : [labels.saidCard]),
    ...(link === "none" ? [] : [`${labels.links[link]} (${labels.methods[method]}).`]),
    ...(then === "none" ? [] : [fill(labels.saidThen[then], { after })]),
  ];
  return said.length === 0 ? labels.nothing : said.join(" ");
}

interface FieldsProps {
  form: Form;
  errors: NonNullable<ApiProblem["errors"]>;
  /** Why no e-mail can be chosen; its label says so. */
  noEmail?: string | undefined;
}

/** The fields of dunning, of a new subscription and of one that is. */
export function DunningFields({ form, errors, noEmail }: FieldsProps) {
  const labels = useTexts().subscriptions.dunning;
  return (
    <fieldset>
      <legend>{labels.title}</legend>
      <p class="hint">{labels.about}</p>
      <Field
        label={labels.card}
        name="dunningCard"
        value={form["dunningCard"] ?? ""}
        hint={labels.cardHint}
        errors={errors["dunning.savedCardId"]}
      />
      <Choice
        label={labels.link}
        name="dunningLink"
        value={form["dunningLink"] ?? "none"}
        options={DUNNING_LINKS.map((each) =>
          each === "email" && noEmail !== undefined
            ? [each, noEmail, true]
            : [each, labels.links[each]],
        )}
        errors={errors["dunning.link"]}
      />
      <Choice
        label={labels.method}
        name="dunningMethod"
        value={form["dunningMethod"] ?? METHODS_WITH_CODE[0]}
        options={METHODS_WITH_CODE.map((each) => [each, labels.methods[each]])}
        errors={errors["dunning.method"]}
      />
      <Choice
        label={labels.then}
        name="dunningThen"
        value={form["dunningThen"] ?? "none"}
        options={DUNNING_ENDS.map((each) => [each, labels.ends[each]])}
        errors={errors["dunning.then"]}
      />
      <Field
        label={labels.after}
        name="dunningDays"
        value={form["dunningDays"] ?? String(DUNNING_DAYS)}
        hint={fill(labels.afterHint, { max: DUNNING_DAYS_MAX })}
        inputmode="numeric"
        errors={errors["dunning.days"]}
      />
    </fieldset>
  );
}

/** What is done about cycles that stay unpaid, to be changed. `form`: what was typed and refused. */
export function ChangeDunning(props: {
  of: Subscription;
  form: Form;
  errors: NonNullable<ApiProblem["errors"]>;
}) {
  const { of, form, errors } = props;
  const labels = useTexts().subscriptions.dunning;
  const { link, method, savedCardId, then, days } = of.dunning;
  const kept = {
    dunningCard: savedCardId ?? "",
    dunningLink: link,
    dunningMethod: method,
    dunningThen: then,
    dunningDays: String(days),
  };
  const refused = errors["dunning"] === undefined ? {} : { "dunning.link": [labels.emailMissing] };
  return (
    <details open={Object.keys(errors).length > 0}>
      <summary>{labels.change}</summary>
      <ActionForm
        action={`${subscriptionPath(of.id)}/dunning`}
        idempotencyKey={crypto.randomUUID()}
        submit={labels.save}
      >
        <DunningFields
          form={{ ...kept, ...form }}
          errors={{ ...errors, ...refused }}
          noEmail={of.customer.email === "" ? labels.noEmail : undefined}
        />
      </ActionForm>
    </details>
  );
}
