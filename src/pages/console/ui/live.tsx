import { useTexts } from "../texts.ts";

/** Where the script says what happens while a page of a company is open; `path` is its socket's. Screen readers say it too. */
export function Live({ path }: { path: string }) {
  const { news } = useTexts().live;
  return (
    <>
      <div
        id="live"
        class="live"
        role="status"
        data-path={path}
        data-payment={news.payment}
        data-approval={news.approval}
        data-dispute={news.dispute}
        data-unexpected={news.unexpected}
      ></div>
      <script src="/console/assets/live.js" defer></script>
    </>
  );
}
