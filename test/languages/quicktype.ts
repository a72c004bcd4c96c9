import {
  FetchingJSONSchemaStore,
  InputData,
  JSONSchemaInput,
  quicktype,
  type Options,
} from "quicktype-core";

/** What quicktype needs of the API's document. */
export interface Components {
  schemas: Record<string, object>;
  examples: Record<string, { value: unknown }>;
}

/** Types of all components that have an example, as members of one class `Centavo`, so that each is generated once. */
export async function quicktypeOf(
  components: Components,
  lang: Options["lang"],
  rendererOptions: Record<string, string>,
): Promise<string> {
  const { schemas } = components;
  const names = Object.keys(examplesOf(components));
  const properties = Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]),
  );
  const all = { type: "object", properties, required: names, additionalProperties: false };
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
  await input.addSource({
    name: "Centavo",
    uris: ["#/all"],
    schema: JSON.stringify({ all, components: { schemas } }),
  });
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({
    inputData,
    lang,
    // As the document says, not as a guess; a time stays a text, which needs no further package.
    combineClasses: false,
    inferMaps: false,
    inferEnums: false,
    inferUuids: false,
    inferDateTimes: false,
    inferIntegerStrings: false,
    inferBooleanStrings: false,
    rendererOptions,
  });
  return lines.join("\n");
}

/** The example of each component that has one. */
export function examplesOf({ schemas, examples }: Components): Record<string, unknown> {
  const named = Object.entries(examples).filter(([name]) => name in schemas);
  return Object.fromEntries(named.map(([name, { value }]) => [name, value]));
}
