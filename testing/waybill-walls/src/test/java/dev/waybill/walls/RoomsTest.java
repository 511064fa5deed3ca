package dev.waybill.walls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import dev.waybill.walls.fixture.UsesAnInnerRoom;
import dev.waybill.walls.fixture.rooms.RootType;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Rules for the packages inside one module: the root package is for users; subpackages are inner rooms, and their public types
 * are for the other packages of the module only. Each rule is applied to the real code and to a fixture that violates it.
 */
class RoomsTest {
    private static final String FIXTURE = RootType.class.getPackageName();

    /** Modules that no other module uses except through their root package. */
    static final List<String> MODULES = List.of(
            "dev.waybill.postgres",
            "dev.waybill.table",
            "dev.waybill.kafka",
            "dev.waybill.connect",
            "dev.waybill.mongodb",
            "dev.waybill.pubsub",
            "dev.waybill.rabbitmq",
            "dev.waybill.relay",
            "dev.waybill.jsonschema",
            "dev.waybill.telemetry.metrics",
            "dev.waybill.server");

    @ParameterizedTest
    @FieldSource("MODULES")
    void nobody_outside_a_module_uses_its_inner_rooms(String module) {
        innerRoomsAreClosed(module).check(House.CLASSES);
    }

    @Test
    void a_class_that_uses_an_inner_room_of_another_module_is_found() {
        JavaClasses fixture = new ClassFileImporter().importClasses(UsesAnInnerRoom.class);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> innerRoomsAreClosed(FIXTURE).check(fixture))
                .withMessageContaining(UsesAnInnerRoom.class.getSimpleName());
    }

    @ParameterizedTest
    @FieldSource("MODULES")
    void packages_of_a_module_have_no_cycles(String module) {
        hasNoCycles(module).check(House.CLASSES);
    }

    @Test
    void a_cycle_between_packages_of_a_module_is_found() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> hasNoCycles(FIXTURE).check(fixtureModule()))
                .withMessageContaining("Cycle detected");
    }

    @ParameterizedTest
    @FieldSource("MODULES")
    void at_most_half_of_the_types_of_a_module_are_public(String module) {
        assertThat(publicShare(House.CLASSES, inModule(module))).as(module).isLessThanOrEqualTo(0.5);
    }

    /** The stores use the other packages of this module. */
    @Test
    void at_most_half_of_the_types_in_the_root_package_for_jdbc_are_public() {
        assertThat(publicShare(House.CLASSES, type -> type.getPackageName().equals("dev.waybill.jdbc")))
                .isLessThanOrEqualTo(0.5);
    }

    @Test
    void public_types_are_counted_in_all_packages_of_a_module() {
        assertThat(publicShare(fixtureModule(), type -> type.getPackageName().equals(FIXTURE)))
                .isEqualTo(0.5);
        assertThat(publicShare(fixtureModule(), inModule(FIXTURE))).isEqualTo(0.75);
    }

    private static JavaClasses fixtureModule() {
        return new ClassFileImporter().importPackages(FIXTURE);
    }

    private static ArchRule innerRoomsAreClosed(String module) {
        return ArchRuleDefinition.noClasses()
                .that()
                .resideOutsideOfPackage(module + "..")
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "are in inner rooms of " + module,
                        type -> type.getPackageName().startsWith(module + ".")));
    }

    private static ArchRule hasNoCycles(String module) {
        return SlicesRuleDefinition.slices()
                .assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        return inModule(module).test(type)
                                ? SliceIdentifier.of(type.getPackageName())
                                : SliceIdentifier.ignore();
                    }

                    @Override
                    public String getDescription() {
                        return "packages of " + module;
                    }
                })
                .should()
                .beFreeOfCycles();
    }

    private static double publicShare(JavaClasses classes, Predicate<JavaClass> counted) {
        List<JavaClass> types = classes.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .filter(counted)
                .toList();
        assertThat(types).isNotEmpty();
        long open = types.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .count();
        return (double) open / types.size();
    }

    private static Predicate<JavaClass> inModule(String module) {
        return type ->
                type.getPackageName().equals(module) || type.getPackageName().startsWith(module + ".");
    }
}
