package dev.waybill.walls;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;

/**
 * A rule that forbids dependencies in a set of packages.
 *
 * @param name a sentence
 * @param rooms the packages, with {@code ..} for their subpackages
 * @param fixture a class in the test tree that violates the rule and must be found
 * @param doors simple names of the classes exempt from the rule
 */
record Wall(
        String name, List<String> rooms, DescribedPredicate<JavaClass> forbidden, Class<?> fixture, Set<String> doors) {
    Wall(String name, List<String> rooms, DescribedPredicate<JavaClass> forbidden, Class<?> fixture) {
        this(name, rooms, forbidden, fixture, Set.of());
    }

    Wall withDoors(String... classes) {
        return new Wall(name, rooms, forbidden, fixture, Set.of(classes));
    }

    ArchRule around(String... packages) {
        return noClasses()
                .that()
                .resideInAnyPackage(packages)
                .and(DescribedPredicate.describe("are no doors", type -> !doors.contains(type.getSimpleName())))
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
