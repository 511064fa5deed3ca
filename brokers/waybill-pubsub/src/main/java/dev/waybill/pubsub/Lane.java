package dev.waybill.pubsub;

import com.google.api.core.ApiFuture;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Utf8;
import dev.waybill.spi.support.InFlightBatch.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one key that wait for an answer or to be sent: one request in flight at a time, and the others behind it in
 * order, to any topic. Waiting messages are combined in the next request. Used under the session's lock.
 */
final class Lane {
    private static final int MOST_MESSAGES = 1_000;
    private static final long MOST_BYTES = 1_000_000;

    private final Utf8 key;
    private final Deque<Place> waiting = new ArrayDeque<>();
    private boolean busy;
    /** This many messages are each sent in a separate request, to find the one at fault. */
    private int singly;

    Lane(Utf8 key) {
        this.key = key;
    }

    Utf8 key() {
        return key;
    }

    /** Messages that are sent together. Its call is set once it is sent. */
    static final class Request {
        private final Lane lane;
        private List<Place> places;
        private volatile @Nullable ApiFuture<?> call;

        private Request(Lane lane, List<Place> places) {
            this.lane = lane;
            this.places = places;
        }

        Lane lane() {
            return lane;
        }

        List<Place> places() {
            return places;
        }

        Place first() {
            return places.get(0);
        }

        String topic() {
            return first().message().topic();
        }

        void keep(List<Place> rest) {
            places = rest;
        }

        void isOnItsWay(ApiFuture<?> sent) {
            call = sent;
        }

        void cancel() {
            ApiFuture<?> sent = call;
            if (sent != null) {
                sent.cancel(true);
            }
        }
    }

    /**
     * @return whether the lane was idle and now has something to send
     */
    boolean enter(Place place) {
        waiting.addLast(place);
        boolean wakes = !busy;
        busy = true;
        return wakes;
    }

    /** The next messages that may share a request: same topic, same key, not too many. */
    Request next() {
        List<Place> places = new ArrayList<>();
        Place first = waiting.removeFirst();
        places.add(first);
        long bytes = PreparedMessage.weight(first.message());
        int most = singly > 0 ? 1 : MOST_MESSAGES;
        while (places.size() < most && !waiting.isEmpty()) {
            Place next = waiting.getFirst();
            bytes += PreparedMessage.weight(next.message());
            if (bytes > MOST_BYTES || !goTogether(first.message(), next.message())) {
                break;
            }
            places.add(waiting.removeFirst());
        }
        singly = Math.max(0, singly - 1);
        return new Request(this, places);
    }

    private static boolean goTogether(OutboundMessage one, OutboundMessage other) {
        return one.topic().equals(other.topic()) && Arrays.equals(one.key(), other.key());
    }

    /**
     * The request in flight was answered.
     *
     * @return whether there is more to send
     */
    boolean goesOn() {
        busy = !waiting.isEmpty();
        return busy;
    }

    /** Puts these back to the front, in order; each is sent alone. */
    void sendSingly(List<Place> places) {
        for (int i = places.size() - 1; i >= 0; i--) {
            waiting.addFirst(places.get(i));
        }
        singly = places.size();
    }

    /** Empties the lane. */
    List<Place> leave() {
        List<Place> all = List.copyOf(waiting);
        waiting.clear();
        singly = 0;
        return all;
    }

    boolean isIdle() {
        return !busy;
    }
}
