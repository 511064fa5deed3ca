package dev.waybill.jsonschema;

import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import java.util.regex.Pattern;

/** A pattern of a schema, with a time limit. */
final class TimedRegularExpression implements RegularExpression {
    private final Pattern pattern;

    TimedRegularExpression(String regex) {
        this.pattern = Pattern.compile(
                RegularExpressions.replaceLongformCharacterProperties(RegularExpressions.replaceDollarAnchors(regex)));
    }

    @Override
    public boolean matches(String value) {
        return pattern.matcher(new TimedText(value)).find();
    }

    /** Checks the time whenever the matcher reads a character. */
    private static final class TimedText implements CharSequence {
        private static final int STEPS = 4_096;

        private final CharSequence text;
        private int steps;

        TimedText(CharSequence text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            if (++steps % STEPS == 0) {
                CheckTime.requireSome();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new TimedText(text.subSequence(start, end));
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
