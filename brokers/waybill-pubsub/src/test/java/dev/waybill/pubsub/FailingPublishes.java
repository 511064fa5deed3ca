package dev.waybill.pubsub;

import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import io.grpc.Status;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes one publish at the server fail: it is answered with a status, it is kept and then not answered, its connection is
 * closed, or it is never answered.
 */
final class FailingPublishes implements FaultInjection {
    /** After these nothing but the message or its topic is at fault. */
    private static final Set<Status.Code> REFUSING =
            EnumSet.of(Status.Code.INVALID_ARGUMENT, Status.Code.NOT_FOUND, Status.Code.PERMISSION_DENIED);

    private final dev.waybill.tck.faults.Faults faults = new dev.waybill.tck.faults.Faults();

    @Override
    public dev.waybill.tck.faults.Faults faults() {
        return faults;
    }

    @Override
    public Set<Failure> ways() {
        return EnumSet.of(Failure.BEFORE, Failure.REPLY_LOST, Failure.DISCONNECTED, Failure.STALL);
    }

    /** Every status that is an error. */
    @Override
    public List<Answer> answers() {
        return Stream.of(Status.Code.values())
                .filter(code -> code != Status.Code.OK)
                .map(code -> new Answer(code.name(), REFUSING.contains(code)))
                .toList();
    }

    Status status() {
        return Status.Code.valueOf(faults.answer().name()).toStatus().withDescription("injected");
    }

    @Override
    public int openConnections() {
        return 0;
    }
}
