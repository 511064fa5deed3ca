package dev.waybill.example.license.driver;

import dev.waybill.example.kit.Example;

/** {@code ./waybill example license-compliance}. */
public final class LicenseComplianceExample {
    private LicenseComplianceExample() {}

    static Example example() {
        return new Example(
                "license-compliance",
                "Stores upload licenses and reviewers decide; two publishers send the events from PostgreSQL to Pub/Sub, if a"
                        + " registry knows them; a worker with an inbox in Redis writes notices; a second worker is deployed"
                        + " later and gets a replay.",
                1_000,
                run -> new Day(run).play());
    }

    public static void main(String[] arguments) {
        System.exit(example().run(arguments).exitCode());
    }
}
