package dev.waybill.server.config;

import java.util.Map;
import java.util.Optional;

/** A block as the file fills it. */
final class Section {
    private final Block block;
    private final Place place;
    private final Map<Key<?>, Object> values;
    private final boolean sound;

    Section(Block block, Place place, Map<Key<?>, Object> values, boolean sound) {
        this.block = block;
        this.place = place;
        this.values = values;
        this.sound = sound;
    }

    Block block() {
        return block;
    }

    Place place() {
        return place;
    }

    /** Whether nothing was wrong with it so far. */
    boolean isSound() {
        return sound;
    }

    /** Of a key that is required or has a default, in a section without mistakes. */
    <T> T get(Key<T> key) {
        return find(key).orElseThrow(() -> new IllegalStateException(place.path() + " has no " + key.name() + "."));
    }

    @SuppressWarnings("unchecked") // the block put it there as its kind had read it
    <T> Optional<T> find(Key<T> key) {
        return Optional.ofNullable((T) values.get(key));
    }

    int count(Key<Long> key) {
        return Math.toIntExact(get(key));
    }

    void mistake(Key<?> key, String what) {
        place.mistake(key.name(), what);
    }
}
