package dev.waybill.spring.boot.actuator;

import dev.waybill.admin.Actor;
import dev.waybill.spi.StoreException;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The endpoint {@code waybill}: the status of relays and consumers, and what an operator may change. Changes need
 * {@code management.endpoint.waybill.access=unrestricted}.
 */
@Endpoint(id = "waybill", defaultAccess = Access.READ_ONLY)
class WaybillEndpoint {
    private final StatusView status;
    private final RelayOperations operations;

    WaybillEndpoint(StatusView status, RelayOperations operations) {
        this.status = status;
        this.operations = operations;
    }

    /** Relays and consumers. */
    @ReadOperation
    Map<String, Object> status() {
        return status.all();
    }

    /**
     * One relay with its parked and dead events and its replays, one consumer with the number of its dead letters, or one event.
     *
     * @param kind relays, consumers or events
     * @param after the cursor of the last parked event of the previous page
     * @return not found if there is none of that name
     */
    @ReadOperation
    WebEndpointResponse<Map<String, Object>> one(
            @Selector String kind, @Selector String name, @Nullable String after, SecurityContext security) {
        try {
            Optional<Map<String, Object>> found = switch (kind) {
                case "relays" -> status.relay(name, after);
                case "consumers" -> status.consumer(name);
                case "events" -> status.event(name, actor(security, ""));
                default -> Optional.empty();
            };
            return found.map(WebEndpointResponse::new)
                    .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
        } catch (IllegalArgumentException e) {
            return mistake(e);
        } catch (StoreException e) {
            return error(e, WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
        }
    }

    /**
     * Changes a relay, or shows what a change would do.
     *
     * @param action pause, resume, requeue, discard, replay or cancel
     * @param ids events to requeue or discard, separated by commas
     * @param state instead of ids: all events that are dead, waiting or due
     * @param type of events to requeue, discard or replay
     * @param error a part of the error of events to requeue or discard
     * @param from events to replay that were created at this time or later
     * @param until events to replay that were created before this time
     * @param replay the name of a replay
     * @param why the reason, for the audit; required to discard
     * @param preview if true, nothing changes, and the answer says how many events are concerned
     */
    @WriteOperation
    WebEndpointResponse<Map<String, Object>> change(
            @Selector String relay,
            @Selector String action,
            @Nullable List<String> ids,
            @Nullable String state,
            @Nullable String type,
            @Nullable String error,
            @Nullable String from,
            @Nullable String until,
            @Nullable String replay,
            @Nullable String why,
            @Nullable Boolean preview,
            SecurityContext security) {
        RelayOperations.Request request = new RelayOperations.Request(
                relay, ids, state, type, error, from, until, replay, Boolean.TRUE.equals(preview));
        Actor by = actor(security, why == null ? "" : why);
        try {
            return new WebEndpointResponse<>(operations.perform(action, request, by));
        } catch (IllegalArgumentException | IllegalStateException e) {
            return mistake(e);
        } catch (StoreException e) {
            return error(e, WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
        }
    }

    private static WebEndpointResponse<Map<String, Object>> mistake(RuntimeException e) {
        return error(e, WebEndpointResponse.STATUS_BAD_REQUEST);
    }

    /** Spring Boot hides the messages of exceptions; this one is for the operator. */
    private static WebEndpointResponse<Map<String, Object>> error(RuntimeException e, int status) {
        return new WebEndpointResponse<>(Map.of("error", String.valueOf(e.getMessage())), status);
    }

    private static Actor actor(SecurityContext security, String why) {
        Principal principal = security.getPrincipal();
        String name = principal == null || principal.getName() == null ? "" : principal.getName();
        return new Actor(name.isBlank() ? "actuator, not authenticated" : name + " (actuator)", why);
    }
}
