package dev.waybill.spring.boot.actuator;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spring.boot.run.RunningRelays;
import dev.waybill.spring.boot.run.RunningReplays;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an operator may do to a relay. Every change is recorded in the audit of its store. */
final class RelayOperations {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private final RunningRelays relays;
    private final RunningReplays replays;
    private final InstantSource clock;

    RelayOperations(RunningRelays relays, RunningReplays replays, InstantSource clock) {
        this.relays = relays;
        this.replays = replays;
        this.clock = clock;
    }

    /** The members of a request. */
    record Request(
            String relay,
            @Nullable List<String> ids,
            @Nullable String state,
            @Nullable String type,
            @Nullable String error,
            @Nullable String from,
            @Nullable String until,
            @Nullable String replay,
            boolean preview) {
        RelayName relayName() {
            return new RelayName(relay);
        }

        /** @throws IllegalArgumentException if a text has a character that databases cannot hold */
        void requireText(String why) {
            Stream<@Nullable String> texts = Stream.of(relay, state, type, error, from, until, replay, why);
            Stream<@Nullable String> all = ids == null ? texts : Stream.concat(texts, ids.stream());
            if (all.anyMatch(text -> text != null && text.indexOf('\0') >= 0)) {
                throw new IllegalArgumentException(
                        "A text of the request has the character U+0000, which databases cannot hold. Nothing was changed:"
                                + " remove it.");
            }
        }

        /** @throws IllegalArgumentException if it is not clear which events are meant */
        Selection selection() {
            if (ids != null && !ids.isEmpty()) {
                if (state != null || type != null || error != null) {
                    throw new IllegalArgumentException("ids and a filter are both given: give one of them.");
                }
                return Selection.of(ids);
            }
            if (state == null) {
                throw new IllegalArgumentException("No events are selected: give ids, or a state such as dead.");
            }
            EventFilter filter = type == null ? EventFilter.ALL : EventFilter.ALL.type(type);
            return new Selection.Matching(parkedState(state), filter, Optional.ofNullable(error));
        }

        private static ParkedState parkedState(String text) {
            return Arrays.stream(ParkedState.values())
                    .filter(each -> each.name().equalsIgnoreCase(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("The state is \"" + text + "\": use one of "
                            + Arrays.toString(ParkedState.values()).toLowerCase(Locale.ROOT) + "."));
        }

        ReplayQuery query() {
            ReplayQuery query = ReplayQuery.EVERYTHING;
            query = type == null ? query : query.type(type);
            query = from == null ? query : query.from(time(from));
            return until == null ? query : query.until(time(until));
        }

        private static Instant time(String text) {
            try {
                return Instant.parse(text);
            } catch (DateTimeParseException e) {
                throw new IllegalArgumentException(
                        "\"" + text + "\" is not a time: write it like 2026-11-15T08:30:00Z.", e);
            }
        }
    }

    /** @throws IllegalArgumentException if the request cannot be performed; the message says why */
    Map<String, Object> perform(String action, Request request, Actor by) {
        request.requireText(by.why());
        StoreAdmin admin = relays.storeOf(request.relay())
                .orElseThrow(() -> new IllegalArgumentException("There is no relay " + request.relay()
                        + " in this application: use one of "
                        + relays.statuses().stream()
                                .map(RunningRelays.Status::name)
                                .toList() + "."))
                .admin();
        return switch (action) {
            case "pause" -> paused(admin.pause(request.relayName(), by), request, true);
            case "resume" -> paused(admin.resume(request.relayName(), by), request, false);
            case "requeue" -> requeue(admin, request, by);
            case "discard" -> discard(admin, request, by);
            case "replay" -> replay(request, by);
            case "cancel" -> cancel(request, by);
            default ->
                throw new IllegalArgumentException("There is no action \"" + action
                        + "\": use pause, resume, requeue, discard, replay or cancel.");
        };
    }

    private static Map<String, Object> paused(boolean known, Request request, boolean paused) {
        if (!known) {
            throw new IllegalArgumentException("The relay " + request.relay() + " has never run: start it first.");
        }
        return answer("relay", request.relay(), "paused", paused);
    }

    private static Map<String, Object> requeue(StoreAdmin admin, Request request, Actor by) {
        Selection selection = request.selection();
        if (request.preview()) {
            RequeuePreview preview = admin.previewRequeue(request.relayName(), selection);
            Map<String, Object> answer = answer("wouldRequeue", preview.found(), "exact", preview.exact());
            answer.put("late", preview.late());
            return answer;
        }
        return answer("relay", request.relay(), "requeued", admin.requeue(request.relayName(), selection, by));
    }

    private static Map<String, Object> discard(StoreAdmin admin, Request request, Actor by) {
        Selection selection = request.selection();
        if (request.preview()) {
            DiscardPreview preview = admin.previewDiscard(request.relayName(), selection);
            return answer("wouldDiscard", preview.found(), "exact", preview.exact());
        }
        return answer("relay", request.relay(), "discarded", admin.discard(request.relayName(), selection, by));
    }

    private Map<String, Object> replay(Request request, Actor by) {
        if (request.preview()) {
            ReplaySize size = replays.adminOf(request.relay()).preview(request.query());
            return answer("wouldSend", size.events(), "exact", size.exact());
        }
        String name = request.replay() == null
                ? request.relay() + "-replay-" + STAMP.format(clock.instant())
                : request.replay();
        return StatusView.replay(replays.start(new RelayName(name), request.relay(), request.query(), by));
    }

    private Map<String, Object> cancel(Request request, Actor by) {
        if (request.replay() == null) {
            throw new IllegalArgumentException("No replay is named: give its name as replay.");
        }
        Function<ReplayStatus, Map<String, Object>> shown = StatusView::replay;
        return replays.adminOf(request.relay())
                .cancel(new RelayName(request.replay()), by)
                .map(shown)
                .orElseThrow(() -> new IllegalArgumentException("There is no replay " + request.replay() + "."));
    }

    private static Map<String, Object> answer(String first, Object value, String second, Object other) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put(first, value);
        answer.put(second, other);
        return answer;
    }
}
