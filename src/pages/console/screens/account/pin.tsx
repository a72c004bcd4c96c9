import { hasPin, setPin } from "../../../../db/people/cashier-pins.ts";
import { isPin, mayUseCounter, PIN_MAX, PIN_MIN } from "../../../../domain/cashier/pin.ts";
import type { ConsoleContext } from "../../context.ts";
import { formOf } from "../../form.ts";
import { recordInCompany } from "../../people/own-actions.ts";
import { hashPassword } from "../../people/passwords.ts";
import { fill, useTexts } from "../../texts.ts";
import { Field, Section } from "../../ui/parts.tsx";

/** Whether the signed-in person has a PIN in the open company; null for one who has no counter there. */
export async function ownPin(c: ConsoleContext): Promise<boolean | null> {
  if (c.get("operator") !== undefined) return null;
  const { companyId, userId, role } = c.get("person");
  return mayUseCounter(role) ? hasPin(c.env.outer.env, { companyId, userId }) : null;
}

/** Gives the signed-in person the PIN of the form; false for one that is none, which changes nothing. */
export async function chooseOwnPin(c: ConsoleContext): Promise<boolean> {
  const pin = (await formOf(c))("pin");
  if (!isPin(pin)) return false;
  const { companyId, userId } = c.get("person");
  const setAt = c.env.outer.get("deps").platformClock.now();
  const pinHash = await hashPassword(pin);
  await recordInCompany(c, { action: "cashier_pin.set", target: `person:${userId}` });
  await setPin(c.env.outer.env, { companyId, userId }, { pinHash, setAt });
  return true;
}

/** The PIN by which a person uses a shared counter: to choose, or to change. */
export function OwnPin(props: { hasPin: boolean; isRefused: boolean }) {
  const texts = useTexts().account;
  const hint = fill(texts.pinHint, { min: PIN_MIN, max: PIN_MAX });
  return (
    <Section title={texts.pin}>
      <p>{props.hasPin ? texts.pinOn : texts.pinOff}</p>
      <form class="action" method="post" action="/console/account/pin">
        <Field
          label={texts.newPin}
          name="pin"
          type="password"
          inputmode="numeric"
          autocomplete="off"
          maxlength={PIN_MAX}
          required
          hint={hint}
          errors={props.isRefused ? [texts.pinRefused] : []}
        />
        <button type="submit">{props.hasPin ? texts.changePin : texts.choosePin}</button>
      </form>
    </Section>
  );
}
