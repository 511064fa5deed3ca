package dev.waybill.tck;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.opentest4j.TestAbortedException;

/** Gives each test {@link Seeds} of its own, and adds to its failure the command that repeats it with them. */
public final class SeedsInFailures
        implements BeforeAllCallback,
                TestInstancePreConstructCallback,
                BeforeEachCallback,
                TestExecutionExceptionHandler,
                AfterEachCallback,
                AfterAllCallback {
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        Seeds.enter(context.getUniqueId());
    }

    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext instance, ExtensionContext context) {
        Seeds.enter(context.getUniqueId());
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Seeds.enter(context.getUniqueId());
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        List<DerivedSeeds> taken = Seeds.takenBy(context.getUniqueId());
        if (taken.isEmpty() || failure instanceof TestAbortedException) {
            throw failure;
        }
        String what = failure instanceof AssertionError ? failure.getMessage() : failure.toString();
        throw new AssertionError(what + "\nRepeat it with: " + command(testOf(context), taken), failure);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        ExtensionContext enclosing = context;
        while (enclosing.getTestMethod().isPresent()) {
            enclosing = enclosing.getParent().orElseThrow();
        }
        Seeds.enter(enclosing.getUniqueId());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Seeds.enter(context.getParent()
                .filter(enclosing -> enclosing.getTestClass().isPresent())
                .map(ExtensionContext::getUniqueId)
                .orElse(""));
    }

    private static String testOf(ExtensionContext context) {
        return context.getRequiredTestClass().getName() + "#"
                + context.getRequiredTestMethod().getName();
    }

    /** For Maven, in a module whose directory has the name of the artifact. */
    static String command(String test, List<DerivedSeeds> taken) {
        StringBuilder command = new StringBuilder("mvn test -pl :")
                .append(Path.of("").toAbsolutePath().getFileName())
                .append(" -am -Dsurefire.failIfNoSpecifiedTests=false '-Dtest=")
                .append(test)
                .append("' -Dwaybill.baseSeed=")
                .append(taken.get(0).base());
        if (taken.size() == 1 && taken.get(0).isOne()) {
            command.append(" -Dwaybill.seed=").append(taken.get(0).last());
        }
        if (Boolean.getBoolean("waybill.full")) {
            command.append(" -Dwaybill.full=true -Dwaybill.excludedGroups=none");
        }
        return command.toString();
    }
}
