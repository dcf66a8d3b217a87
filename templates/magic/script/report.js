/** What Magic adds to a report's script: the order composer, on a side's own page. */

import { startComposer } from "../../script/compose.js";
import { magicComposer } from "./composer.js";

startComposer(magicComposer);
