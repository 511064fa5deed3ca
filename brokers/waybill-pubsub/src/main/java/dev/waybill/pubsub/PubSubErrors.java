package dev.waybill.pubsub;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode.Code;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.SourceException;
import java.util.Set;

/**
 * The outcome for each status of Pub/Sub, for events and for consumers.
 *
 * <table>
 * <caption>Where a later attempt may succeed, the client has retried until the delivery timeout</caption>
 * <tr><th>status</th><th>tried again</th><th>outcome</th></tr>
 * <tr><td>INVALID_ARGUMENT</td><td>one by one, when there were several in the request</td><td>Refused</td></tr>
 * <tr><td>NOT_FOUND: no such topic</td><td>no</td><td>Refused</td></tr>
 * <tr><td>PERMISSION_DENIED: the topic is forbidden</td><td>no</td><td>Refused</td></tr>
 * <tr><td>PERMISSION_DENIED because of the project (API disabled, no billing …)</td><td>no</td><td>Unavailable</td></tr>
 * <tr><td>FAILED_PRECONDITION: the topic cannot accept messages now, for example because its encryption key is disabled; also
 * OUT_OF_RANGE, ALREADY_EXISTS, DATA_LOSS, which a publish should never be answered with</td><td>no</td><td>Retry</td></tr>
 * <tr><td>UNAVAILABLE, DEADLINE_EXCEEDED, ABORTED, CANCELLED, INTERNAL, RESOURCE_EXHAUSTED, UNKNOWN</td><td>yes</td>
 * <td>Unavailable; Retry if only this key fails ({@link Suspects})</td></tr>
 * <tr><td>UNAUTHENTICATED, UNIMPLEMENTED, and exceptions without a status: no message would be accepted</td><td>no</td>
 * <td>Unavailable</td></tr>
 * </table>
 *
 * @param address of Pub/Sub, for error messages
 */
record PubSubErrors(String address) {
    static final Set<Code> TRIED_AGAIN = Set.of(
            Code.ABORTED,
            Code.CANCELLED,
            Code.DEADLINE_EXCEEDED,
            Code.INTERNAL,
            Code.RESOURCE_EXHAUSTED,
            Code.UNAVAILABLE,
            Code.UNKNOWN);

    /** Google's reasons that affect a whole project. */
    private static final Set<String> OF_THE_PROJECT = Set.of(
            "SERVICE_DISABLED",
            "BILLING_DISABLED",
            "CONSUMER_INVALID",
            "CONSUMER_SUSPENDED",
            "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
            "ACCOUNT_STATE_INVALID",
            "USER_PROJECT_DENIED");

    /** Whether there was no answer, or the credentials were not accepted. */
    static boolean isAway(ApiException error) {
        return TRIED_AGAIN.contains(code(error)) || code(error) == Code.UNAUTHENTICATED;
    }

    /** Whether one message of a request is at fault, and the others are not. */
    static boolean isOfOneMessage(Throwable error) {
        return error instanceof ApiException api && code(api) == Code.INVALID_ARGUMENT;
    }

    Delivery whenSending(String topic, Throwable error) {
        if (!(error instanceof ApiException api)) {
            return unavailable(error.getClass().getSimpleName());
        }
        return switch (code(api)) {
            case INVALID_ARGUMENT ->
                new Refused("topic " + topic + " does not accept the message, or its name is not valid"
                        + " (INVALID_ARGUMENT" + fields(api) + ")");
            case NOT_FOUND ->
                new Refused("topic " + topic + " does not exist at " + address + ": create it, then requeue the event ("
                        + words(api) + ")");
            case PERMISSION_DENIED -> denied(topic, api);
            case FAILED_PRECONDITION, OUT_OF_RANGE, ALREADY_EXISTS, DATA_LOSS ->
                new Retry("topic " + topic + " does not accept messages now: check its state and its encryption key ("
                        + words(api) + ")");
            case UNAUTHENTICATED -> unavailable("correct the credentials: " + words(api));
            case OK,
                    UNAVAILABLE,
                    DEADLINE_EXCEEDED,
                    ABORTED,
                    CANCELLED,
                    INTERNAL,
                    RESOURCE_EXHAUSTED,
                    UNKNOWN,
                    UNIMPLEMENTED -> unavailable(words(api));
        };
    }

    private Delivery denied(String topic, ApiException error) {
        String reason = error.getReason();
        if (reason != null && OF_THE_PROJECT.contains(reason)) {
            return unavailable("correct the project: " + reason + ", " + words(error));
        }
        return new Refused("topic " + topic + " is forbidden to this client: grant it roles/pubsub.publisher, then"
                + " requeue the event (" + words(error) + ")");
    }

    /** Whether reading may succeed later without any change. */
    static boolean mayPass(Throwable error) {
        return !(error instanceof ApiException api) || TRIED_AGAIN.contains(code(api));
    }

    /** Whether there was no answer in time. */
    static boolean isNoAnswer(Throwable error) {
        return error instanceof ApiException api && code(api) == Code.DEADLINE_EXCEEDED;
    }

    SourceException whenReading(String subscription, Throwable error) {
        String what = error instanceof ApiException api
                ? words(api)
                : error.getClass().getSimpleName();
        if (!(error instanceof ApiException api)) {
            return reading(subscription, what, error);
        }
        return switch (code(api)) {
            case NOT_FOUND -> reading(subscription, "it does not exist, create it: " + what, error);
            case PERMISSION_DENIED ->
                reading(
                        subscription,
                        "it is forbidden to this client, grant it roles/pubsub.subscriber: " + what,
                        error);
            case UNAUTHENTICATED -> reading(subscription, "correct the credentials: " + what, error);
            case INVALID_ARGUMENT, FAILED_PRECONDITION ->
                reading(subscription, "it cannot be read, check its type and state: " + what, error);
            case OK,
                    UNAVAILABLE,
                    DEADLINE_EXCEEDED,
                    ABORTED,
                    CANCELLED,
                    INTERNAL,
                    RESOURCE_EXHAUSTED,
                    UNKNOWN,
                    UNIMPLEMENTED,
                    OUT_OF_RANGE,
                    ALREADY_EXISTS,
                    DATA_LOSS -> reading(subscription, what, error);
        };
    }

    private SourceException reading(String subscription, String words, Throwable error) {
        return new SourceException("Cannot read " + subscription + " at " + address + " (" + words + ").", error);
    }

    /** Libraries that read credentials may quote them, so only the class of the exception is reported. */
    SourceException cannotRead(String subscription, Exception error) {
        return new SourceException(
                "Cannot read " + subscription + ": " + cannotOpen(error).error() + ".", error);
    }

    Unavailable unavailable(String words) {
        return new Unavailable("Pub/Sub at " + address + " is unavailable (" + words + ")");
    }

    /** Libraries that read credentials may quote them, so only the class of the exception is reported. */
    Unavailable cannotOpen(Exception error) {
        return unavailable("no client could be created, " + error.getClass().getSimpleName()
                + ": check the credentials file, or the application default credentials");
    }

    private static Code code(ApiException error) {
        return error.getStatusCode().getCode();
    }

    static String words(ApiException error) {
        Throwable said = error.getCause() == null ? error : error.getCause();
        return said.getMessage() == null ? code(error).name() : said.getMessage();
    }

    /** The server's message may quote the event; the names of the invalid fields do not. */
    private static String fields(ApiException error) {
        if (error.getErrorDetails() == null || error.getErrorDetails().getBadRequest() == null) {
            return "";
        }
        StringBuilder fields = new StringBuilder();
        error.getErrorDetails()
                .getBadRequest()
                .getFieldViolationsList()
                .forEach(violation -> fields.append(", ").append(violation.getField()));
        return fields.toString();
    }
}
