package dev.waybill.server.config;

import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A place in the file. Mistakes are reported with it.
 *
 * @param name the key, or the index in a list
 * @param line counted from 1
 */
record Place(String path, String name, int line, Findings findings) {

    static Place top(Findings findings) {
        return new Place("", "", 1, findings);
    }

    Place at(String key, Node node) {
        return findings.remember(new Place(pathOf(key), key, lineOf(node), findings));
    }

    Place item(int index, Node node) {
        return new Place(path + "[" + index + "]", Integer.toString(index), lineOf(node), findings);
    }

    /** A key that the file leaves out. */
    Place missing(String key) {
        return new Place(pathOf(key), key, line, findings);
    }

    /** A key that was read before, or is missing. */
    Place child(String key) {
        return findings.placeOf(pathOf(key)).orElseGet(() -> missing(key));
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    void mistake(String what) {
        findings.add(new Mistake(line, path, what));
    }

    /** About a key at this place. */
    void mistake(String key, String what) {
        findings.add(new Mistake(line, pathOf(key), what));
    }

    /** The value with its references expanded; empty if one cannot be. */
    Optional<Expansion> expand(String written) {
        return findings.references().expand(written, this);
    }

    /** Remembers where the value comes from that the file refers to, for messages. */
    void comesFrom(String source, String reference) {
        findings.comesFrom(path, source, reference);
    }

    /** Empty if the value is in the file. */
    Optional<String> source() {
        return findings.sourceOf(path);
    }

    private static int lineOf(Node node) {
        return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
    }
}
