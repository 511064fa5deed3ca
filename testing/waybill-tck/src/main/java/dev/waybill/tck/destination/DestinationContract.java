package dev.waybill.tck.destination;

/**
 * The contract of destinations. A destination is complete when its subclass of this passes:
 *
 * <pre>{@code
 * class MyDestinationContractTest extends DestinationContract {
 *     @Override
 *     protected DestinationHarness newDestination() {
 *         return new MyDestinationHarness();
 *     }
 * }
 * }</pre>
 *
 * The contract is split into parts, one class each, every one extending the previous one. Tests that a destination's
 * harness does not support are skipped and reported as such.
 */
public abstract class DestinationContract extends FailingRequestsContract {
    @Override
    protected abstract DestinationHarness newDestination();
}
