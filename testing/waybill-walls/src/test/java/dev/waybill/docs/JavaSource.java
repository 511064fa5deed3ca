package dev.waybill.docs;

import java.util.regex.Pattern;

/** The text of a Java file without comments and string literals, to find its declarations. */
record JavaSource(String code) {
    private static final Pattern NOT_CODE = Pattern.compile("""
            ""\".*?""\"|"(?:\\\\.|[^"\\\\\\n])*+"|'(?:\\\\.|[^'\\\\])+'|/\\*.*?\\*/|//[^\\n]*+""", Pattern.DOTALL);

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

    boolean hasTests() {
        return finds("@(Test|ParameterizedTest|RepeatedTest)\\b")
                || finds("\\bclass\\s+\\w+\\s+extends\\s+\\w+Contract\\b");
    }

    private boolean finds(String pattern) {
        return Pattern.compile(pattern).matcher(code).find();
    }
}
