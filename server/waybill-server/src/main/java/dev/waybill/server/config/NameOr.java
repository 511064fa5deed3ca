package dev.waybill.server.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Either the name of something that is elsewhere, or the thing itself. */
record NameOr<N, T>(Scalar<N> name, Kind<T> itself) implements Kind<NameOr.Choice<N, T>> {

    /** Exactly one of both. */
    record Choice<N, T>(Optional<N> name, Optional<T> itself) {}

    @Override
    public String words() {
        return name.words() + ", or " + itself.words();
    }

    @Override
    public Optional<Given<Choice<N, T>>> read(Node node, Place at) {
        if (node instanceof ScalarNode) {
            return name.read(node, at)
                    .map(given ->
                            new Given<>(new Choice<>(Optional.of(given.value()), Optional.empty()), given.shown()));
        }
        return itself.read(node, at)
                .map(given -> new Given<>(new Choice<>(Optional.empty(), Optional.of(given.value())), given.shown()));
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of("anyOf", List.of(name.schema(), itself.schema()));
    }
}
