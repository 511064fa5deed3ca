package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import dev.waybill.spi.FailureKind;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MongoFailureClassifierTest {
    @ParameterizedTest
    @ValueSource(ints = {6, 7, 18, 50, 64, 89, 91, 133, 189, 202, 262, 9001, 10107, 11600, 11602, 13435, 13436, 14031})
    void an_overloaded_server_is_unavailable(int code) {
        assertThat(FailureKind.of(error(code))).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(FailureKind.of(new IllegalStateException(MongoFailure.withoutValues(error(code)))))
                .isEqualTo(FailureKind.UNAVAILABLE);
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 46, 112, 225, 251})
    void a_conflict_can_be_retried(int code) {
        assertThat(FailureKind.of(error(code))).isEqualTo(FailureKind.CONFLICT);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 9, 13, 121, 11000, 16755})
    void any_other_error_is_a_failure(int code) {
        assertThat(FailureKind.of(error(code))).isEqualTo(FailureKind.FAILED);
    }

    @Test
    void a_server_that_does_not_answer_is_unavailable() {
        assertThat(FailureKind.of(new MongoTimeoutException("no server"))).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(FailureKind.of(new MongoSocketReadException("cut", new ServerAddress())))
                .isEqualTo(FailureKind.UNAVAILABLE);
    }

    private static MongoCommandException error(int code) {
        return new MongoCommandException(
                new BsonDocument("ok", new BsonInt32(0)).append("code", new BsonInt32(code)), new ServerAddress());
    }
}
