package dev.waybill.server.config;

import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A single value.
 *
 * @param words as in "must be a duration, such as 50ms"
 */
record Scalar<T>(String words, Map<String, Object> schema, Hiding hiding, Reader<T> reader) implements Kind<T> {
    private static final int LONGEST_QUOTE = 60;

    /** Makes a value of a text. */
    interface Reader<T> {
        /**
         * @return nothing when it cannot be one
         */
        Optional<T> read(String text);
    }

    Scalar<T> hiding(Hiding newHiding) {
        return new Scalar<>(words, schema, newHiding, reader);
    }

    /** Says more than the kind does. */
    Scalar<T> called(String newWords) {
        return new Scalar<>(newWords, schema, hiding, reader);
    }

    @Override
    public Optional<Given<T>> read(Node node, Place at) {
        if (!(node instanceof ScalarNode scalar)) {
            at.mistake("must be " + words);
            return Optional.empty();
        }
        if (node.getTag().equals(Tag.NULL)) {
            at.mistake("has no value: it must be " + words);
            return Optional.empty();
        }
        return read(scalar.getValue(), at);
    }

    Optional<Given<T>> read(String written, Place at) {
        Optional<String> text = at.expand(written);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        at.findings().secrets().addAll(hiding.secretsIn(text.get()));
        Optional<T> value = reader.read(text.get());
        if (value.isEmpty()) {
            boolean quotable = (hiding == Hiding.NOTHING || hiding == Hiding.OURS) && written.equals(text.get());
            at.mistake((quotable ? "is \"" + shortened(written) + "\" and " : "") + "must be " + words);
        }
        return value.map(made -> new Given<>(made, shown(written, text.get())));
    }

    /** What refers to something else is never ours. */
    private Shown shown(String written, String text) {
        return hiding == Hiding.OURS && !written.equals(text) ? Shown.theirs(written) : hiding.shown(written);
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…";
    }
}
