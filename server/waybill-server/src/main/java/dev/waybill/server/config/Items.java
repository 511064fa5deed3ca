package dev.waybill.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** A list of the same kind. */
record Items<T>(String what, Kind<T> each) implements Kind<List<T>> {

    @Override
    public String words() {
        return "a list of " + what;
    }

    @Override
    public Optional<Given<List<T>>> read(Node node, Place at) {
        if (!(node instanceof SequenceNode sequence)) {
            at.mistake("must be " + words());
            return Optional.empty();
        }
        List<T> values = new ArrayList<>();
        List<Object> shown = new ArrayList<>();
        for (int i = 0; i < sequence.getValue().size(); i++) {
            Node item = sequence.getValue().get(i);
            each.read(item, at.item(i, item)).ifPresent(given -> {
                values.add(given.value());
                shown.add(given.shown());
            });
        }
        return Optional.of(new Given<>(values, shown));
    }

    @Override
    public Map<String, Object> schema() {
        return Scalars.schema("array", "items", each.schema());
    }
}
