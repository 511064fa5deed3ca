package dev.waybill.jsonschema;

import dev.waybill.registry.EventDefinition;
import dev.waybill.registry.PayloadCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The definitions of events in a registry file. */
record EventEntries(Path directory) {

    void read(Section events, List<EventDefinition> definitions) {
        for (String type : events.names()) {
            events.section(type).flatMap(entry -> read(type, entry)).ifPresent(definitions::add);
        }
    }

    private Optional<EventDefinition> read(String type, Section entry) {
        entry.allow("topic", "aggregate-type", "schema", "java-type");
        if (type.isBlank()) {
            entry.problem("the event type is blank");
        }
        Optional<String> topic = entry.requiredText("topic");
        Optional<String> aggregateType = entry.requiredText("aggregate-type");
        Optional<PayloadCheck> payload = payload(entry);
        return topic.isPresent() && aggregateType.isPresent() && payload.isPresent() && !type.isBlank()
                ? Optional.of(new EventDefinition(type, topic.get(), aggregateType.get(), payload.get()))
                : Optional.empty();
    }

    private Optional<PayloadCheck> payload(Section entry) {
        Optional<String> schema = entry.text("schema");
        Optional<String> javaType = entry.text("java-type");
        if (schema.isPresent() == javaType.isPresent()) {
            entry.problem("give its payload either a schema (a file) or a java-type (a class)");
            return Optional.empty();
        }
        return schema.isPresent() ? schema(entry, schema.get()) : javaType(entry, javaType.orElseThrow());
    }

    private Optional<PayloadCheck> schema(Section entry, String name) {
        try {
            return Optional.of(JsonSchemaCheck.of(Files.readString(directory.resolve(name))));
        } catch (IOException | InvalidPathException e) {
            entry.problem(
                    "schema",
                    "the file \"" + name + "\" cannot be read (" + e.getClass().getSimpleName() + ")");
        } catch (IllegalArgumentException e) {
            entry.problem("schema", String.valueOf(e.getMessage()));
        }
        return Optional.empty();
    }

    private static Optional<PayloadCheck> javaType(Section entry, String name) {
        try {
            // Not initialized: a name in a file must not run code.
            Class<?> type = Class.forName(name, false, EventEntries.class.getClassLoader());
            return Optional.of(PayloadCheck.javaType(type));
        } catch (ClassNotFoundException | LinkageError e) {
            entry.problem(
                    "java-type", "there is no class " + name + " here: put it on the class path, or use a schema");
            return Optional.empty();
        }
    }
}
