import { KEPT_FORM, type SealedForm } from "../kept-form.ts";
import { useTexts } from "../texts.ts";

/**
 * A button of the passkeys' script, seen only where the browser has passkeys. A success leads to `next`, or sends the
 * form that waited for it.
 */
export function PasskeyButton(props: {
  does: "sign-in" | "register";
  text: string;
  next: string;
  kept?: SealedForm | undefined;
}) {
  const { passkeyFailed } = useTexts().signIn;
  const { kept } = props;
  return (
    <div>
      {kept === undefined ? null : (
        <form method="post" action={kept.path} id="kept-form">
          <input type="hidden" name={KEPT_FORM} value={kept.sealed} />
        </form>
      )}
      <button
        type="button"
        hidden
        data-passkey={props.does}
        data-next={props.next}
        data-failed={passkeyFailed}
      >
        {props.text}
      </button>
      <p class="error" id="passkey-failure" role="status"></p>
      <script src="/console/assets/passkeys.js" defer></script>
    </div>
  );
}
