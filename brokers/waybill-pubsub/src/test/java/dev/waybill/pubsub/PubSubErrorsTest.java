package dev.waybill.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.gax.grpc.GrpcStatusCode;
import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.ApiExceptionFactory;
import com.google.api.gax.rpc.ErrorDetails;
import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Delivery.Unavailable;
import io.grpc.Status;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PubSubErrorsTest {
    private static final PubSubErrors ERRORS = new PubSubErrors("pubsub.example:443");

    @ParameterizedTest
    @CsvSource({
        "INVALID_ARGUMENT, Refused",
        "NOT_FOUND, Refused",
        "PERMISSION_DENIED, Refused",
        "FAILED_PRECONDITION, Retry",
        "OUT_OF_RANGE, Retry",
        "ALREADY_EXISTS, Retry",
        "DATA_LOSS, Retry",
        "UNAUTHENTICATED, Unavailable",
        "UNAVAILABLE, Unavailable",
        "DEADLINE_EXCEEDED, Unavailable",
        "ABORTED, Unavailable",
        "CANCELLED, Unavailable",
        "INTERNAL, Unavailable",
        "RESOURCE_EXHAUSTED, Unavailable",
        "UNKNOWN, Unavailable",
        "UNIMPLEMENTED, Unavailable"
    })
    void every_status_has_its_outcome(Status.Code code, String outcome) {
        Delivery delivery = ERRORS.whenSending("orders", exception(code.toStatus(), List.of()));
        assertThat(delivery.getClass().getSimpleName()).isEqualTo(outcome);
    }

    @Test
    void retried_statuses_finally_mean_unavailable() {
        assertThat(PubSubErrors.TRIED_AGAIN)
                .hasSize(7)
                .allSatisfy(code -> assertThat(ERRORS.whenSending(
                                "orders",
                                exception(Status.Code.valueOf(code.name()).toStatus(), List.of())))
                        .isInstanceOf(Unavailable.class));
    }

    @Test
    void a_refusal_names_the_topic_and_the_remedy() {
        assertThat(error("NOT_FOUND")).contains("topic orders does not exist", "create it", "requeue");
        assertThat(error("PERMISSION_DENIED")).contains("topic orders is forbidden", "roles/pubsub.publisher");
        assertThat(error("INVALID_ARGUMENT")).contains("topic orders does not accept the message");
    }

    @Test
    void a_disabled_project_makes_pubsub_unavailable() {
        Any disabled = Any.pack(ErrorInfo.newBuilder()
                .setReason("SERVICE_DISABLED")
                .setDomain("googleapis.com")
                .build());
        assertThat(ERRORS.whenSending("orders", exception(Status.PERMISSION_DENIED, List.of(disabled))))
                .isInstanceOfSatisfying(
                        Unavailable.class, away -> assertThat(away.error()).contains("SERVICE_DISABLED", "project"));
    }

    @Test
    void the_servers_message_is_omitted_but_the_fields_are_named() {
        Any violation = Any.pack(BadRequest.newBuilder()
                .addFieldViolations(BadRequest.FieldViolation.newBuilder()
                        .setField("messages[0].attributes")
                        .setDescription("canary"))
                .build());
        Delivery delivery = ERRORS.whenSending(
                "orders", exception(Status.INVALID_ARGUMENT.withDescription("bad value canary"), List.of(violation)));
        assertThat(((Refused) delivery).error())
                .contains("messages[0].attributes")
                .doesNotContain("canary");
    }

    @Test
    void an_exception_without_a_status_means_unavailable_without_its_message() {
        assertThat(ERRORS.whenSending("orders", new IllegalStateException("canary")))
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        away -> assertThat(away.error())
                                .contains("IllegalStateException")
                                .doesNotContain("canary"));
        assertThat(ERRORS.cannotOpen(new IOException("canary")).error())
                .contains("credentials", "pubsub.example:443")
                .doesNotContain("canary");
    }

    private static String error(String code) {
        Delivery delivery =
                ERRORS.whenSending("orders", exception(Status.Code.valueOf(code).toStatus(), List.of()));
        return delivery instanceof Retry retry ? retry.error() : ((Refused) delivery).error();
    }

    private static ApiException exception(Status status, List<Any> details) {
        return ApiExceptionFactory.createException(
                status.asRuntimeException(),
                GrpcStatusCode.of(status.getCode()),
                false,
                ErrorDetails.builder().setRawErrorMessages(details).build());
    }
}
