package dev.waybill.server.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** The keys of a mapping with what stands behind them, each once. */
final class Entries {
    private static final Pattern SEPARATOR = Pattern.compile("[:=\\s]");

    private Entries() {}

    /**
     * @return nothing when it is no mapping; then the mistake is noted at the place
     */
    static Optional<Map<String, Node>> of(Node node, Place at, String words) {
        if (!(node instanceof MappingNode mapping)) {
            at.mistake("must be " + words);
            return Optional.empty();
        }
        Map<String, Node> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                at.mistake("has a key that is not a text");
            } else if (isRunTogether(key.getValue(), tuple.getValueNode())) {
                // What follows the name may be a password.
                String name = SEPARATOR.split(key.getValue(), 2)[0];
                at.at(name, key).mistake("has no colon and space after it: write " + name + ": and the value");
            } else if (entries.putIfAbsent(key.getValue(), tuple.getValueNode()) != null) {
                at.at(key.getValue(), key).mistake("stands here twice: remove one");
            }
        }
        return Optional.of(entries);
    }

    /** As in {@code {password:secret}}, which YAML takes for a name without a value. */
    private static boolean isRunTogether(String name, Node value) {
        return value.getTag().equals(Tag.NULL) && SEPARATOR.matcher(name).find();
    }
}
