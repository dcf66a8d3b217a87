/** Where a report's script begins: each part does its work if the page has what it works on. */

import { announce } from "./dom.js";
import { startMap } from "./map.js";
import { startProof } from "./proof.js";

// The region has to be there before something is said in it.
announce("");
startMap();
startProof();
performance.mark("ready");
