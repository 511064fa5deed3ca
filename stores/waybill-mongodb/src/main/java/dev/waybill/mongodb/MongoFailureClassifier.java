package dev.waybill.mongodb;

import com.mongodb.MongoException;
import dev.waybill.spi.FailureClassifier;
import dev.waybill.spi.FailureKind;

/** Classifies exceptions of MongoDB's driver. */
public final class MongoFailureClassifier implements FailureClassifier {
    @Override
    public FailureKind kindOf(Throwable thrown) {
        if (!(thrown instanceof MongoException mongo)) {
            return FailureKind.FAILED;
        }
        return switch (MongoFailure.ofOne(mongo)) {
            case UNAVAILABLE -> FailureKind.UNAVAILABLE;
            case CONFLICT -> FailureKind.CONFLICT;
            case DUPLICATE, OTHER -> FailureKind.FAILED;
        };
    }
}
