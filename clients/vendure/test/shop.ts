import {
  DefaultSchedulerPlugin,
  LanguageCode,
  mergeConfig,
  type InitialData,
  type VendureConfig,
} from "@vendure/core";
import {
  createTestEnvironment,
  PostgresInitializer,
  registerInitializer,
  SimpleGraphQLClient,
  SqljsInitializer,
  testConfig,
} from "@vendure/testing";
import { parse } from "graphql";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CentavoPlugin } from "../src/index.ts";
import { call, GATEWAY } from "./gateway.ts";
import { startRelay, type Relay } from "./relay.ts";

export const PRICE = 2_500;
export const STOCK = 10_000;
/** Events are read each five seconds, where a test shall not wait a minute. */
export const OFTEN = "*/5 * * * * *";
/** As the plugin does by itself. */
export const EACH_MINUTE = "* * * * *";

const INITIAL_DATA: InitialData = {
  defaultLanguage: LanguageCode.pt_BR,
  defaultZone: "Brasil",
  countries: [{ name: "Brasil", code: "BR", zone: "Brasil" }],
  taxRates: [{ name: "Imposto incluso", percentage: 0 }],
  shippingMethods: [{ name: "Entrega", price: 0 }],
  paymentMethods: [{ name: "Centavo", handler: { code: "centavo", arguments: [] } }],
  collections: [],
};

/** What a query answers, as its caller knows it. */
type Answer = Record<string, any>;

export interface Shop {
  app: ReturnType<typeof createTestEnvironment>["server"]["app"];
  webhookUrl: string;
  relay: Relay;
  variantId: string;
  /** A call of the owner. */
  admin(query: string, variables?: object): Promise<Answer>;
  /** A shopper of his own, without an order. */
  shopper(currencyCode?: string): (query: string, variables?: object) => Promise<Answer>;
  stop(): Promise<void>;
}

/** The real Vendure server with the plugin, one product at R$ 25,00, and BRL; webhooks come through a relay. */
export async function startShop(schedule = OFTEN): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), "centavo-vendure-"));
  registerInitializer("sqljs", new SqljsInitializer(folder));
  registerInitializer("postgres", new PostgresInitializer());
  const port = await freePort();
  const config = configOf(port, schedule);
  const { server, adminClient } = createTestEnvironment(config);
  await server.init({ initialData: INITIAL_DATA, customerCount: 0 });
  await adminClient.asSuperAdmin();
  const admin = (query: string, variables?: object) =>
    adminClient.query<Answer>(parse(query), variables as never);
  const variantId = await stockUp(admin);
  const webhookUrl = `http://localhost:${port}/centavo/webhook`;
  const relay = await startRelay(webhookUrl);
  await call("PUT", "/api/v1/webhooks/endpoint", { url: relay.url });
  return {
    app: server.app,
    webhookUrl,
    relay,
    variantId,
    admin,
    shopper: (currencyCode = "BRL") => {
      const query = `languageCode=pt_BR&currencyCode=${currencyCode}`;
      const shopApi = `http://localhost:${port}/${config.apiOptions.shopApiPath}?${query}`;
      const client = new SimpleGraphQLClient(config, shopApi);
      return (text, variables) => client.query<Answer>(parse(text), variables as never);
    },
    async stop() {
      await relay.close();
      await server.destroy();
      rmSync(folder, { recursive: true });
    },
  };
}

function configOf(port: number, schedule: string) {
  const { baseUrl, clientId, apiKey, webhookSecret } = GATEWAY;
  const options = { baseUrl, clientId, apiKey, webhookSecret, schedule };
  return mergeConfig(testConfig, {
    apiOptions: { port },
    defaultLanguageCode: LanguageCode.pt_BR,
    schedulerOptions: { runTasksInWorkerOnly: false },
    ...databaseOf(process.env["SHOP_POSTGRES"]),
    plugins: [DefaultSchedulerPlugin.init(), CentavoPlugin.init(options)],
  });
}

/** A PostgreSQL by its URL, as `postgres://shop:secret@localhost:5432`; else SQLite in memory, of `testConfig`. */
function databaseOf(url: string | undefined): Pick<Partial<VendureConfig>, "dbConnectionOptions"> {
  if (url === undefined) return {};
  const { hostname: host, port, username, password } = new URL(url);
  return {
    dbConnectionOptions: { type: "postgres", host, port: Number(port || 5432), username, password },
  };
}

/** Sells in BRL, and has one product. Answers its variant's id. */
async function stockUp(admin: Shop["admin"]): Promise<string> {
  await admin(`mutation { updateChannel(input: {
    id: "T_1", currencyCode: BRL, availableCurrencyCodes: [BRL, USD], pricesIncludeTax: true
  }) { __typename ... on Channel { defaultCurrencyCode } } }`);
  const translations = `[{ languageCode: pt_BR, name: "Caneca", slug: "caneca", description: "" }]`;
  const { createProduct } = await admin(
    `mutation { createProduct(input: { enabled: true, translations: ${translations} }) { id } }`,
  );
  const { createProductVariants } = await admin(`mutation { createProductVariants(input: [{
    productId: "${createProduct.id}", sku: "CANECA", price: ${PRICE}, stockOnHand: ${STOCK},
    trackInventory: TRUE, translations: [{ languageCode: pt_BR, name: "Caneca" }]
  }]) { id } }`);
  const { id } = createProductVariants[0];
  await admin(`mutation { updateProductVariants(input: [{
    id: "${id}", prices: [{ currencyCode: USD, price: 500 }]
  }]) { id } }`);
  return id;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
