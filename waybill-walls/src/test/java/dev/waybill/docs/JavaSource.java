package dev.waybill.docs;

import java.util.regex.Pattern;

/** The text of a Java file without its comments, asked what it declares. */
record JavaSource(String code) {
    private static final Pattern COMMENTS = Pattern.compile("/\\*.*?\\*/|(?<![:\"])//[^\\n]*", Pattern.DOTALL);

    static JavaSource of(String text) {
        return new JavaSource(COMMENTS.matcher(text).replaceAll(""));
    }

    /** A type, a method, a constructor or a field of that name. */
    boolean declares(String symbol) {
        String name = Pattern.quote(symbol);
        return finds("\\b(class|interface|record|enum)\\s+" + name + "\\b")
                || finds("(?m)^\\s+[\\w<>\\[\\]?,.@ ]*[\\w>\\]]\\s+" + name + "\\s*\\([^;]*?\\)[^;=]*?[{;]")
                || finds("(?m)^\\s+[\\w<>\\[\\]?,.@ ]*[\\w>\\]]\\s+" + name + "\\s*[=;]");
    }

    /** Whether JUnit runs the method. */
    boolean hasTest(String method) {
        return finds("@(Test|ParameterizedTest|RepeatedTest)\\b[^;{}]*?(\\{[^{}]*\\}[^;{}]*?)?\\bvoid\\s+"
                + Pattern.quote(method) + "\\s*\\(");
    }

    boolean hasTests() {
        return finds("@(Test|ParameterizedTest|RepeatedTest)\\b")
                || finds("\\bclass\\s+\\w+\\s+extends\\s+\\w+Contract\\b");
    }

    private boolean finds(String pattern) {
        return Pattern.compile(pattern).matcher(code).find();
    }
}
