package dev.waybill;

import java.util.Optional;

/**
 * What an inbox needs to know about a received event.
 *
 * @param eventId the same for every delivery of the event
 * @param version given when only newer versions of an entity are to be applied
 */
public record Incoming(String eventId, Optional<EntityVersion> version) {
    /** Longest event id and entity an inbox takes, in characters. */
    public static final int MAX_LENGTH = 1_000;

    public Incoming {
        requireStorable("event id", eventId);
    }

    public static Incoming event(String id) {
        return new Incoming(id, Optional.empty());
    }

    /** Only if this version is above the last one seen of that entity. */
    public Incoming ofEntity(String entity, long entityVersion) {
        return new Incoming(eventId, Optional.of(new EntityVersion(entity, entityVersion)));
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
            throw new InvalidEventException("The " + what + " of an event that arrived has " + value.length()
                    + " characters: an inbox takes 1 to " + MAX_LENGTH + ", not blank.");
        }
        try {
            Check.name(what, value, MAX_LENGTH);
        } catch (InvalidEventException e) {
            throw new InvalidEventException("No inbox takes an event that arrived: " + e.getMessage());
        }
    }
}
