package dev.waybill.docs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The text of a Java file without comments and string literals, to find its declarations. */
record JavaSource(String code) {
    private static final Pattern NOT_CODE = Pattern.compile("""
            ""\".*?""\"|"(?:\\\\.|[^"\\\\\\n])*+"|'(?:\\\\.|[^'\\\\])+'|/\\*.*?\\*/|//[^\\n]*+""", Pattern.DOTALL);

    /** The annotations of a test, then its name. */
    private static final Pattern TEST = Pattern.compile(
            "((?:@\\w+(?:\\((?:[^()]|\\([^()]*\\))*\\))?\\s+)+)(?:public |protected |private |static |final )*void\\s+(\\w+)\\s*\\(");

    private static final Pattern IS_TEST = Pattern.compile("@(Test|ParameterizedTest|RepeatedTest)\\b");
    private static final Pattern CLASS = Pattern.compile(
            "((?:@\\w+(?:\\((?:[^()]|\\([^()]*\\))*\\))?\\s+)*)(?:public |abstract |final )*class\\s+(\\w+)");
    private static final Pattern SUPERCLASS = Pattern.compile("\\bclass\\s+(\\w+)[^{]*?\\bextends\\s+(\\w+)");
    /** The only tag of our tests is "full". */
    private static final String TAG = "@Tag(";

    private static final String TYPE_BEFORE =
            "(?m)^\\s++(?!(?:return|throw|new|else|case|yield)\\b)[\\w<>\\[\\]?,.@ ]*[\\w>\\]]\\s+";

    static JavaSource of(String text) {
        return new JavaSource(NOT_CODE.matcher(text).replaceAll(" "));
    }

    /** A type, a method, a constructor or a field of that name. */
    boolean declares(String symbol) {
        String name = Pattern.quote(symbol);
        return finds("\\b(class|interface|record|enum)\\s+" + name + "\\b")
                || finds(TYPE_BEFORE + name + "\\s*\\([^;]*?\\)[^;=]*?[{;]")
                || finds(TYPE_BEFORE + name + "\\s*[=;]");
    }

    /** Whether JUnit runs the method. */
    boolean hasTest(String method) {
        return finds("@(Test|ParameterizedTest|RepeatedTest)\\b[^;{}]*?(\\{[^{}]*\\}[^;{}]*?)?\\bvoid\\s+"
                + Pattern.quote(method) + "\\s*\\(");
    }

    /** Names of its own tests. */
    List<String> tests() {
        return TEST.matcher(code)
                .results()
                .filter(test -> IS_TEST.matcher(test.group(1)).find())
                .map(test -> test.group(2))
                .toList();
    }

    /** Whether the test runs in the full check only. */
    boolean isTagged(String method) {
        return isClassTagged()
                || TEST.matcher(code)
                        .results()
                        .anyMatch(test ->
                                test.group(2).equals(method) && test.group(1).contains(TAG));
    }

    /** Whether all its tests, also inherited ones, run in the full check only. */
    boolean isClassTagged() {
        return CLASS.matcher(code)
                .results()
                .limit(1)
                .anyMatch(type -> type.group(1).contains(TAG));
    }

    /** Superclasses by the names of its classes. */
    Map<String, String> superclasses() {
        Map<String, String> superclasses = new HashMap<>();
        SUPERCLASS.matcher(code).results().forEach(type -> superclasses.put(type.group(1), type.group(2)));
        return superclasses;
    }

    boolean hasTests() {
        return finds("@(Test|ParameterizedTest|RepeatedTest)\\b")
                || finds("\\bclass\\s+\\w+\\s+extends\\s+\\w+Contract\\b");
    }

    private boolean finds(String pattern) {
        return Pattern.compile(pattern).matcher(code).find();
    }
}
