package dev.waybill.spi;

import java.util.List;
import java.util.ServiceLoader;

/** Every classifier of failures that is there; looked for once. */
final class ClassifiersOnClassPath {
    static final List<FailureClassifier> ALL =
            ServiceLoader.load(FailureClassifier.class, FailureClassifier.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    private ClassifiersOnClassPath() {}
}
