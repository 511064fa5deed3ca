package dev.waybill.server.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** The keys and values of a mapping. */
final class Entries {
    private static final Pattern SEPARATOR = Pattern.compile("[:=\\s]");

    private Entries() {}

    /** Reports keys that are not text, or given twice. */
    static Map<String, Node> of(MappingNode mapping, Place at) {
        Map<String, Node> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                at.mistake("has a key that is not text");
            } else if (isRunTogether(key.getValue(), tuple.getValueNode())) {
                // The text after the name may be a password.
                String name = SEPARATOR.split(key.getValue(), 2)[0];
                at.at(name, key).mistake("has no colon and space after it: write " + name + ": and the value");
            } else if (entries.putIfAbsent(key.getValue(), tuple.getValueNode()) != null) {
                at.at(key.getValue(), key).mistake("is given twice: remove one");
            }
        }
        return entries;
    }

    /** As in {@code {password:secret}}, which YAML reads as a name without a value. */
    private static boolean isRunTogether(String name, Node value) {
        return value.getTag().equals(Tag.NULL) && SEPARATOR.matcher(name).find();
    }
}
