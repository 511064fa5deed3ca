package dev.waybill.server.cli;

import dev.waybill.server.terminal.Cell;

/** What a person is told of events that a requeue or discard leaves out. */
final class LeftOut {
    private LeftOut() {}

    static String inWords(int leftOut) {
        return leftOut == 0
                ? ""
                : ", left out " + Cell.grouped(leftOut)
                        + " that changed meanwhile, that a relay is working on or somebody has locked, or that are behind"
                        + " such a one in their key; run it again for these";
    }
}
