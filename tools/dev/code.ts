/** `npm run code`: the code that the local people's authenticator app shows now. */
import { localCode } from "../lib/local-people.ts";

console.log(await localCode());
