package dev.waybill.route;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A topic name with placeholders for parts of the event. */
final class TemplateText implements TopicName {
    private static final Set<EventPart> ALLOWED =
            Set.of(EventPart.TYPE, EventPart.AGGREGATE_TYPE, EventPart.AGGREGATE_ID);
    private static final String REMEDY =
            " Use {type}, {aggregateType} or {aggregateId} in it, as in" + " \"shop.{aggregateType}.events\".";

    private final List<TopicName> pieces;

    private TemplateText(List<TopicName> pieces) {
        this.pieces = List.copyOf(pieces);
    }

    static TopicName parse(String template) {
        List<TopicName> pieces = new ArrayList<>();
        int at = 0;
        for (int open = template.indexOf('{'); open >= 0; open = template.indexOf('{', at)) {
            addLiteral(pieces, template, at, open);
            int close = template.indexOf('}', open);
            if (close < 0) {
                throw wrong(template, "opens a brace at character " + (open + 1) + " and does not close it.");
            }
            pieces.add(TopicName.part(part(template, template.substring(open + 1, close))));
            at = close + 1;
        }
        if (at == 0) {
            throw wrong(template, "has no placeholder. For a single topic use the fixed route.");
        }
        addLiteral(pieces, template, at, template.length());
        return pieces.size() == 1 ? pieces.get(0) : new TemplateText(pieces);
    }

    @Override
    public Utf8 of(StoredEvent event) {
        ByteArrayOutputStream name = new ByteArrayOutputStream();
        for (TopicName piece : pieces) {
            name.writeBytes(piece.of(event).bytes());
        }
        return Utf8.wrap(name.toByteArray());
    }

    @Override
    public Optional<String> of(String type, String aggregateType) {
        StringBuilder name = new StringBuilder();
        for (TopicName piece : pieces) {
            Optional<String> text = piece.of(type, aggregateType);
            if (text.isEmpty()) {
                return text;
            }
            name.append(text.get());
        }
        return Optional.of(name.toString());
    }

    private static void addLiteral(List<TopicName> pieces, String template, int from, int to) {
        String text = template.substring(from, to);
        int stray = text.indexOf('}');
        if (stray >= 0) {
            throw wrong(template, "closes a brace at character " + (from + stray + 1) + " that was not opened.");
        }
        if (!text.isEmpty()) {
            pieces.add(new Literal(Utf8.of(text)));
        }
    }

    private static EventPart part(String template, String placeholder) {
        for (EventPart part : ALLOWED) {
            if (part.placeholder.equals(placeholder)) {
                return part;
            }
        }
        throw wrong(template, "has an unknown placeholder {" + placeholder + "}.");
    }

    private static IllegalArgumentException wrong(String template, String why) {
        return new IllegalArgumentException("The route's template \"" + template + "\" " + why + REMEDY);
    }
}
