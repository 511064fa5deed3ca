package dev.waybill.pubsub;

import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PubsubMessage;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** How a {@link PubSubServer} fails: by topic, by key or by message, a number of times or until changed. */
final class Faults {
    static final int ALWAYS = Integer.MAX_VALUE;

    private final List<Fault> faults = new ArrayList<>();

    /** What becomes of a request. */
    enum Kind {
        /** Answered with a status; nothing is kept. */
        REFUSED,
        /** Kept, and then answered with a status, as when an acknowledgement is lost on its way. */
        KEPT,
        /** Not looked at until the fault is mended. */
        HELD
    }

    /** One way to fail. */
    static final class Fault {
        private final Predicate<PublishRequest> which;
        private final Kind kind;
        private final Status status;
        private final CountDownLatch mended = new CountDownLatch(1);
        private final CountDownLatch met = new CountDownLatch(1);
        private int times;

        private Fault(Predicate<PublishRequest> which, int times, Kind kind, Status status) {
            this.which = which;
            this.times = times;
            this.kind = kind;
            this.status = status;
        }

        Kind kind() {
            return kind;
        }

        Status status() {
            return status;
        }

        void mend() {
            mended.countDown();
        }

        /** Returns when a request has met the fault. */
        void awaitMet() {
            await(met);
        }

        void awaitMended() {
            await(mended);
        }

        private static void await(CountDownLatch latch) {
            try {
                if (!latch.await(60, TimeUnit.SECONDS)) {
                    throw new AssertionError("It did not come about in a minute.");
                }
            } catch (InterruptedException e) {
                throw new AssertionError("Interrupted.", e);
            }
        }
    }

    Fault topic(String topic, int times, Status status) {
        return add(request -> request.getTopic().endsWith("/topics/" + topic), times, Kind.REFUSED, status);
    }

    Fault key(String key, int times, Status status) {
        return add(messages(message -> message.getOrderingKey().equals(key)), times, Kind.REFUSED, status);
    }

    /** A request with a message of this body in it. */
    Fault body(String body, int times, Status status) {
        return add(messages(message -> message.getData().toStringUtf8().equals(body)), times, Kind.REFUSED, status);
    }

    Fault acknowledgement(String key, int times, Status status) {
        return add(messages(message -> message.getOrderingKey().equals(key)), times, Kind.KEPT, status);
    }

    /** Requests with this key wait until the fault is mended. */
    Fault slow(String key) {
        return add(messages(message -> message.getOrderingKey().equals(key)), ALWAYS, Kind.HELD, Status.OK);
    }

    private static Predicate<PublishRequest> messages(Predicate<PubsubMessage> which) {
        return request -> request.getMessagesList().stream().anyMatch(which);
    }

    private synchronized Fault add(Predicate<PublishRequest> which, int times, Kind kind, Status status) {
        Fault fault = new Fault(which, times, kind, status);
        faults.add(fault);
        return fault;
    }

    synchronized Optional<Fault> meet(PublishRequest request) {
        for (Fault fault : faults) {
            if (fault.times > 0 && fault.mended.getCount() > 0 && fault.which.test(request)) {
                fault.times -= fault.times == ALWAYS ? 0 : 1;
                fault.met.countDown();
                return Optional.of(fault);
            }
        }
        return Optional.empty();
    }

    synchronized void releaseAll() {
        faults.stream().filter(fault -> fault.kind == Kind.HELD).forEach(Fault::mend);
    }
}
