/** What Flux adds to a report's script: the order composer, on a seat's own page. */

import { startComposer } from "../../script/compose.js";
import { fluxComposer } from "./composer.js";

startComposer(fluxComposer);
