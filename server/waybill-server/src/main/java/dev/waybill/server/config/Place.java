package dev.waybill.server.config;

import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A place in the file, where mistakes are noted.
 *
 * @param line counted from 1
 */
record Place(String path, int line, Findings findings) {

    Place at(String name, Node node) {
        return new Place(path.isEmpty() ? name : path + "." + name, lineOf(node), findings);
    }

    Place item(int index, Node node) {
        return new Place(path + "[" + index + "]", lineOf(node), findings);
    }

    void mistake(String what) {
        findings.add(new Mistake(line, path, what));
    }

    /** About a key that is not there. */
    void mistake(String name, String what) {
        findings.add(new Mistake(line, path.isEmpty() ? name : path + "." + name, what));
    }

    /** The text with what it refers to. */
    Optional<String> expand(String text) {
        return findings.references().expand(text, this);
    }

    static int lineOf(Node node) {
        return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
    }
}
