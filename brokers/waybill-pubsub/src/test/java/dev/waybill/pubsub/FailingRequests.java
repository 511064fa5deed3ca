package dev.waybill.pubsub;

import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Makes one request of a reader, or of whoever sends to a topic, fail at the server: it is answered with UNAVAILABLE and has no
 * effect, it has its effect and is answered so, or it is never answered. Making topics does not count.
 */
final class FailingRequests implements FaultInjection, ServerInterceptor {
    private static final Set<String> COUNTED =
            Set.of("Publish", "Pull", "StreamingPull", "Acknowledge", "ModifyAckDeadline");

    private final dev.waybill.tck.faults.Faults faults = new dev.waybill.tck.faults.Faults();

    @Override
    public dev.waybill.tck.faults.Faults faults() {
        return faults;
    }

    @Override
    public Set<Failure> ways() {
        return EnumSet.of(Failure.BEFORE, Failure.REPLY_LOST, Failure.STALL);
    }

    @Override
    public int openConnections() {
        return 0;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String name = String.valueOf(call.getMethodDescriptor().getBareMethodName());
        Optional<Failure> failure = COUNTED.contains(name) ? faults.strike(name) : Optional.empty();
        if (failure.isEmpty()) {
            return next.startCall(call, headers);
        }
        boolean stream = name.equals("StreamingPull");
        if (failure.get() == Failure.REPLY_LOST && !stream) {
            return next.startCall(new Unanswered<>(call), headers);
        }
        // A silent stream cannot be distinguished from one without messages.
        if (failure.get() != Failure.STALL || stream) {
            call.close(Status.UNAVAILABLE.withDescription("injected"), new Metadata());
        }
        return new ServerCall.Listener<>() {};
    }

    private static final class Unanswered<Q, A> extends SimpleForwardingServerCall<Q, A> {
        Unanswered(ServerCall<Q, A> call) {
            super(call);
        }

        @Override
        public void sendHeaders(Metadata headers) {}

        @Override
        public void sendMessage(A message) {}

        @Override
        public void close(Status status, Metadata trailers) {
            super.close(Status.UNAVAILABLE.withDescription("injected"), new Metadata());
        }
    }
}
