package dev.waybill;

import java.util.Optional;

/**
 * The identity of a received event, for an inbox.
 *
 * @param eventId the same for every delivery of the event
 * @param version set if only newer versions of an entity are to be applied
 * @param eventType describes the event to a person who reads the inbox; not part of its identity
 * @param source the service that appended it, likewise
 */
public record Incoming(
        String eventId, Optional<EntityVersion> version, Optional<String> eventType, Optional<String> source) {
    /** Maximum length of an event id and of an entity, in characters. */
    public static final int MAX_LENGTH = 1_000;

    public Incoming {
        requireStorable("event id", eventId);
    }

    public static Incoming event(String id) {
        return new Incoming(id, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Applied only if this version is greater than the last one seen of the entity. */
    public Incoming ofEntity(String entity, long entityVersion) {
        return new Incoming(eventId, Optional.of(new EntityVersion(entity, entityVersion)), eventType, source);
    }

    /** Stored by an inbox whose table has a column for it. */
    public Incoming ofType(String type) {
        return new Incoming(eventId, version, Optional.of(type), source);
    }

    /** Stored by an inbox whose table has a column for it. */
    public Incoming fromSource(String service) {
        return new Incoming(eventId, version, eventType, Optional.of(service));
    }

    /**
     * One version of one entity.
     *
     * @param entity identifies the entity among all that the consumer receives, such as {@code Order:o-7}
     */
    public record EntityVersion(String entity, long version) {
        public EntityVersion {
            requireStorable("entity", entity);
        }
    }

    private static void requireStorable(String what, String value) {
        if (value.isBlank() || value.length() > MAX_LENGTH) {
            throw new InvalidEventException("The " + what + " of a received event has " + value.length()
                    + " characters: an inbox accepts 1 to " + MAX_LENGTH + ", and not only blanks.");
        }
        try {
            Check.name(what, value, MAX_LENGTH);
        } catch (InvalidEventException e) {
            throw new InvalidEventException("A received event cannot be recorded in an inbox: " + e.getMessage());
        }
    }
}
