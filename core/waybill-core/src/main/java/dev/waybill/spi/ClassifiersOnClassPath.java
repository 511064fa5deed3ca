package dev.waybill.spi;

import java.util.List;
import java.util.ServiceLoader;

/** All classifiers of failures on the class path; loaded once. */
final class ClassifiersOnClassPath {
    static final List<FailureClassifier> ALL =
            ServiceLoader.load(FailureClassifier.class, FailureClassifier.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    private ClassifiersOnClassPath() {}
}
