package dev.waybill.bench.kit;

/** A system that can be measured with backlogs of other shapes than the usual one. */
public interface VariedSystem extends BenchSystem {
    /** The shape of what is prepared and started from now on. */
    void vary(Shape shape);
}
