package dev.waybill.server.api;

import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.server.access.RefusedException;
import dev.waybill.server.access.Role;
import dev.waybill.server.checkup.AuditedBox;
import dev.waybill.server.config.LikelyTopics;
import dev.waybill.server.http.Answer;
import dev.waybill.server.operation.LetterWork;
import dev.waybill.server.operation.Prepared;
import dev.waybill.server.operation.Target;
import dev.waybill.spi.Counted;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Dead letters of consumers. */
final class LetterRoutes {
    private static final Duration COUNTED_FOR = Duration.ofSeconds(30);
    private static final int MOST = 10_000;
    private static final int MOST_PLACES = 1_000;
    private static final int MOST_CONSUMERS = 100;

    private final Backend backend;
    private final Answers answers;
    private final Offers offers;
    private final InstantSource clock;
    private @Nullable Count counted;

    /** Counting reads many messages, so it is not done for everyone again. */
    private record Count(Instant at, Obj answer) {}

    LetterRoutes(Backend backend, Answers answers, Offers offers, InstantSource clock) {
        this.backend = backend;
        this.answers = answers;
        this.offers = offers;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                Route.get(
                                "/api/dead-letters",
                                Role.VIEWER,
                                "Counts of dead letters by destination, topic and consumer.")
                        .does("topics, at, unavailable", call -> answers.json(counts())),
                Route.get(
                                "/api/dead-letters/{destination}/{topic}",
                                Role.VIEWER,
                                "Dead letters, oldest first, without messages.")
                        .query(Field.whole("limit", "letters at most; 100, at most 1000"))
                        .does("letters, more", this::list),
                Route.post(
                                "/api/dead-letters/preview",
                                Role.OPERATOR,
                                "Shows what sending back or discarding would do.")
                        .body(
                                Field.text("action", "send-back or discard").must(),
                                Field.text("destination", "the destination").must(),
                                Field.text("topic", "the dead-letter topic").must(),
                                Field.list("places", "places of letters, at most 1000"),
                                Field.flag("all", "instead of places: all letters"),
                                Field.text("consumer", "needs all: only of this consumer"))
                        .does("Preview", this::preview));
    }

    private synchronized Obj counts() {
        Instant now = clock.instant();
        Count known = counted;
        if (known != null && now.isBefore(known.at.plus(COUNTED_FOR))) {
            return known.answer;
        }
        List<Obj> topics = new ArrayList<>();
        List<String> freely = backend.installation().destinations().stream()
                .filter(backend.installation()::countsDeadLettersFreely)
                .toList();
        List<Obj> unavailable = Backend.eachDestination(
                freely,
                destination -> backend.installation()
                        .countDeadLetters(
                                destination,
                                LikelyTopics.of(backend.installation(), destination),
                                DeadLetterCount.COUNTED)
                        .forEach(count -> topics.add(shape(destination, count))));
        List<String> uncounted = backend.installation().destinations().stream()
                .filter(name -> !freely.contains(name))
                .toList();
        Obj answer = new Obj()
                .time("at", now)
                .list("topics", topics)
                .texts("uncounted", uncounted)
                .list("unavailable", unavailable);
        counted = new Count(clock.instant(), answer);
        return answer;
    }

    private static Obj shape(String destination, DeadLetterCount count) {
        List<Obj> consumers = count.byConsumer().entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(MOST_CONSUMERS)
                .map(each -> new Obj().text("consumer", each.getKey()).count("letters", each.getValue()))
                .toList();
        return new Obj()
                .text("destination", destination)
                .text("topic", count.topic())
                .count("letters", count.letters())
                .flag("exact", count.exact())
                .list("consumers", consumers);
    }

    private Answer list(Call call) {
        int limit = call.limit(100, 1_000);
        String destination = backend.destination(call.part("destination"));
        String topic = known(destination, call.part("topic"));
        DeadLetterBox box = backend.installation().deadLetters(destination);
        List<DeadLetterEntry> letters = read(() -> box.list(topic, limit + 1));
        return answers.json(new Obj()
                .list(
                        "letters",
                        letters.stream().limit(limit).map(LetterRoutes::shape).toList())
                .flag("more", letters.size() > limit));
    }

    /**
     * Some brokers show messages only by taking them from their consumers, and may give up those that are read often. So nothing is read
     * here but what is known to be dead letters.
     */
    private String known(String destination, String topic) {
        if (!backend.installation().isDeadLetterTopic(destination, topic)) {
            throw new RefusedException(
                    "403 Forbidden",
                    "not-allowed",
                    "This is not known as a topic or queue of dead letters, and is not read. If it is one, add its name to"
                            + " dead-letters of the destination in the configuration; names that end in "
                            + DeadLetterBox.SUFFIX + " need no entry.");
        }
        return topic;
    }

    /** A name that the broker cannot have is the caller's mistake. */
    private static List<DeadLetterEntry> read(Supplier<List<DeadLetterEntry>> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw Json.bad(String.valueOf(e.getMessage()));
        }
    }

    private static Obj shape(DeadLetterEntry letter) {
        return new Obj()
                .text("place", letter.place())
                .text("origin", letter.origin())
                .text("eventId", letter.eventId())
                .text("error", letter.error())
                .time("failedAt", letter.failedAt())
                .text("consumer", letter.consumer())
                .whole("bytes", letter.bytes())
                .text(
                        "message",
                        switch (letter.contents()) {
                            case MESSAGE -> "whole";
                            case WHERE_IT_STOOD -> "left-out";
                            case UNREADABLE -> "unreadable";
                        });
    }

    private Answer preview(Call call) {
        Input body = call.body();
        String action = body.text("action");
        if (!action.equals("send-back") && !action.equals("discard")) {
            throw Json.bad("The action must be send-back or discard.");
        }
        boolean discards = action.equals("discard");
        String destination = backend.destination(body.text("destination"));
        String topic = known(destination, body.text("topic"));
        if (body.flag("all") == body.has("places")) {
            throw Json.bad("Give places or all, and not both.");
        }
        AuditedBox box = AuditedBox.of(backend.installation(), destination);
        List<DeadLetterEntry> looked = read(() -> chosen(body, box, topic));
        Optional<String> consumer = Optional.of("consumer")
                .filter(body::has)
                .map(key -> body.find(key).orElse(""));
        List<DeadLetterEntry> letters = looked.stream()
                .filter(letter -> consumer.map(letter.consumer()::equals).orElse(true))
                .toList();
        if (letters.isEmpty()) {
            throw Backend.notFound(
                    "There are no such dead letters: they were sent back or discarded, or never existed.");
        }
        Prepared prepared = new Prepared(
                Target.letters(action, destination, topic, Counted.of(letters.size(), "dead letter") + " of " + topic),
                letters.size(),
                Offers.confirm(discards, letters.size(), topic),
                discards,
                new LetterWork(box, !discards, letters));
        return answers.json(offers.show(
                call,
                prepared,
                looked.size() < MOST,
                letters.stream().limit(Offers.SAMPLES).map(LetterRoutes::shape).toList()));
    }

    private static List<DeadLetterEntry> chosen(Input body, DeadLetterBox box, String topic) {
        if (body.has("places")) {
            return body.texts("places", MOST_PLACES).stream()
                    .distinct()
                    .flatMap(place -> box.find(topic, place).stream())
                    .toList();
        }
        return box.choose(topic, MOST);
    }
}
