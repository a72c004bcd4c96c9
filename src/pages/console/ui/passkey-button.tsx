import { useTexts } from "../texts.ts";

/** A button of `passkey-script.ts`, seen only where the browser has passkeys. */
export function PasskeyButton(props: { does: "sign-in" | "register"; text: string; next: string }) {
  const { passkeyFailed } = useTexts().signIn;
  return (
    <div>
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
