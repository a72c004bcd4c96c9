import { methodNotAllowed } from "hono/method-not-allowed";
import { Api } from "./api.ts";
import type { Dependencies } from "./context.ts";
import { negotiates } from "./negotiation.ts";
import { onError, onNotFound, problemResponse } from "./problems.ts";
import { tracing } from "./tracing.ts";
import { uriLimit } from "./uri-limit.ts";

/** An app with these routes: order of middleware, and what happens when nothing fits. */
export function assemble(deps: Dependencies, mounts: readonly ((app: Api) => void)[]): Api {
  const app = new Api();
  app.use(async (c, next) => {
    c.set("deps", deps);
    c.set("app", app);
    await next();
  });
  app.use(tracing);
  app.use(uriLimit);
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) =>
        problemResponse(c, {
          code: "METHOD_NOT_ALLOWED",
          detail: `This path takes ${methods.join(", ")}.`,
          headers: { Allow: methods.join(", ") },
        }),
    }),
  );
  app.use("/api/*", negotiates);
  for (const mount of mounts) mount(app);
  app.notFound(onNotFound);
  app.onError(onError);
  return app;
}
