package dev.waybill.trials;

import dev.waybill.format.HeaderNames;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.spi.Seen;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A deliberate violation of one rule, which the checker must detect. */
enum Flaw {
    NONE {
        @Override
        Destination in(Destination destination) {
            return destination;
        }
    },
    /** No violation: every answer is delayed by a second, as by a slow broker. */
    SLOW {
        @Override
        Destination in(Destination destination) {
            Executor later = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);
            return new Flawed(destination) {
                @Override
                public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
                    return destination.publish(batch, seen).thenApplyAsync(answers -> answers, later);
                }
            };
        }
    },
    /** Reports an event as delivered without sending it. */
    DROPS {
        @Override
        List<OutboundMessage> spoil(List<OutboundMessage> batch) {
            return batch.subList(1, batch.size());
        }
    },
    /** Sends an event twice without need. */
    REPEATS {
        @Override
        List<OutboundMessage> spoil(List<OutboundMessage> batch) {
            List<OutboundMessage> more = new ArrayList<>(batch);
            more.add(batch.get(0));
            return more;
        }
    },
    /** Sends the last events of a batch first. */
    TURNS_AROUND {
        @Override
        List<OutboundMessage> spoil(List<OutboundMessage> batch) {
            List<OutboundMessage> turned = new ArrayList<>(batch);
            Collections.reverse(turned);
            return turned;
        }
    },
    /** Sends an event that was never appended. */
    MAKES_UP {
        @Override
        List<OutboundMessage> spoil(List<OutboundMessage> batch) {
            OutboundMessage model = batch.get(0);
            List<Header> headers = new ArrayList<>(model.headers());
            headers.removeIf(header -> header.name().equals(HeaderNames.EVENT_ID));
            byte[] id = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
            headers.add(new Header(HeaderNames.EVENT_ID, id));
            List<OutboundMessage> more = new ArrayList<>(batch);
            more.add(new OutboundMessage(model.event(), model.topic(), model.key(), model.value(), headers));
            return more;
        }
    },
    /** Reports events as delivered a second before sending them, so that they are lost if the process is killed. */
    MARKS_BEFORE_ACK {
        @Override
        Destination in(Destination destination) {
            Executor later = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, Runnable::run);
            return new Flawed(destination) {
                @Override
                public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
                    later.execute(() -> destination.publish(batch, seen));
                    return CompletableFuture.completedFuture(allDelivered(batch));
                }
            };
        }
    };

    Destination in(Destination destination) {
        return new Flawed(destination) {
            @Override
            public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
                return destination.publish(spoil(batch), seen).thenApply(answers -> allDelivered(batch));
            }
        };
    }

    List<OutboundMessage> spoil(List<OutboundMessage> batch) {
        return batch;
    }

    private static List<Delivery> allDelivered(List<OutboundMessage> batch) {
        return Collections.nCopies(batch.size(), Delivery.DELIVERED);
    }

    /** Delegates everything except publishing. */
    private abstract static class Flawed implements Destination {
        private final Destination destination;

        Flawed(Destination destination) {
            this.destination = destination;
        }

        @Override
        public Guarantees guarantees() {
            return destination.guarantees();
        }

        @Override
        public void abort() {
            destination.abort();
        }

        @Override
        public void close() {
            destination.close();
        }
    }
}
