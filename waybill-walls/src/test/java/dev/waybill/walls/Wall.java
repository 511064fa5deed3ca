package dev.waybill.walls;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/**
 * What may not enter which rooms.
 *
 * @param name a sentence
 * @param rooms packages, with {@code ..} for those below
 * @param fixture a class in the test tree that does what is forbidden: the wall must stop it
 */
record Wall(String name, List<String> rooms, DescribedPredicate<JavaClass> forbidden, Class<?> fixture) {
    ArchRule around(String... packages) {
        return noClasses()
                .that()
                .resideInAnyPackage(packages)
                .should()
                .dependOnClassesThat(forbidden)
                .as(name);
    }

    ArchRule rule() {
        return around(rooms.toArray(String[]::new));
    }

    @Override
    public String toString() {
        return name;
    }
}
