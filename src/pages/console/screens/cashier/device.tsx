import type { listPinHolders } from "../../../../db/people/cashier-pins.ts";
import { PIN_MAX } from "../../../../domain/cashier/pin.ts";
import { useTexts } from "../../texts.ts";
import { Field } from "../../ui/parts.tsx";

/** Who is at the shared counter: one's name and one's PIN, in one form. */
export function PinPad(props: {
  holders: Awaited<ReturnType<typeof listPinHolders>>;
  chosen: string | null;
  error: string | null;
}) {
  const { holders, chosen, error } = props;
  const labels = useTexts().cashier;
  if (holders.length === 0) return <p>{labels.nobodyHasPin}</p>;
  return (
    <form class="action pin-pad" method="post" action="/console/cashier/device" data-once="">
      <fieldset class="names">
        <legend class="hidden">{labels.cashier}</legend>
        {holders.map(({ userId, name }) => (
          <label>
            <input
              type="radio"
              name="person"
              value={userId}
              required
              checked={userId === chosen || holders.length === 1}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <Field
        label={labels.pin}
        name="pin"
        type="password"
        inputmode="numeric"
        autocomplete="off"
        maxlength={PIN_MAX}
        required
        errors={error === null ? [] : [error]}
      />
      <button type="submit" class="primary">
        {labels.begin}
      </button>
    </form>
  );
}
