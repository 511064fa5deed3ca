package dev.waybill.tck.destination;

/**
 * What a destination is. A destination is done when its subclass of this passes:
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
 * The contract is written in chapters, one class each, every one extending the one before. What a destination's harness
 * cannot provide is skipped and reported as such.
 */
public abstract class DestinationContract extends FailingRequestsContract {
    @Override
    protected abstract DestinationHarness newDestination();
}
