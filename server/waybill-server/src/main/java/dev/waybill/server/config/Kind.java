package dev.waybill.server.config;

import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/** What may stand behind a key. */
interface Kind<T> {
    /**
     * @return nothing when it is not of this kind; then the mistake is noted at the place
     */
    Optional<Given<T>> read(Node node, Place at);

    /** As JSON Schema. */
    Map<String, Object> schema();

    /** For people, as in "must be a duration". */
    String words();

    /**
     * What was given.
     *
     * @param shown how it may be shown: maps and lists of {@link Shown}
     */
    record Given<T>(T value, Object shown) {}
}
