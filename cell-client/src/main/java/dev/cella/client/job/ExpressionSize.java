package dev.cella.client.job;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The size of a regular expression after compilation, which bounds the time of matching. Counted repeats are expanded: {@code
 * ((a{1000}){1000}){1000}} is short and has a thousand million instructions. So the size is computed first.
 */
final class ExpressionSize {
    private final String expression;
    private final Deque<Long> outer = new ArrayDeque<>();
    private int at;
    private long size;
    private long piece;

    private ExpressionSize(String expression) {
        this.expression = expression;
    }

    /** The pieces, each counted as often as it is repeated. For an invalid expression any number. */
    static long of(String expression) {
        return new ExpressionSize(expression).reckon();
    }

    private long reckon() {
        while (at < expression.length()) {
            next();
        }
        long all = size + piece;
        for (long before : outer) {
            all += before;
        }
        return all;
    }

    private void next() {
        char now = expression.charAt(at++);
        switch (now) {
            case '\\' -> skipEscape();
            case '[' -> skipClass();
            case '(' -> open();
            case ')' -> close();
            case '{' -> repeat();
            default -> begin(1);
        }
    }

    private void begin(long next) {
        size += piece;
        piece = next;
    }

    private void skipEscape() {
        if (expression.startsWith("Q", at)) {
            int end = expression.indexOf("\\E", at);
            begin(expression.length());
            at = end < 0 ? expression.length() : end + 2;
        } else {
            begin(1);
            at++;
        }
    }

    /** A bracket that comes first is part of the class. */
    private void skipClass() {
        begin(1);
        at += expression.startsWith("^", at) ? 1 : 0;
        at += expression.startsWith("]", at) ? 1 : 0;
        while (at < expression.length() && expression.charAt(at) != ']') {
            at += expression.charAt(at) == '\\' ? 2 : 1;
        }
        at++;
    }

    private void open() {
        begin(0);
        outer.push(size);
        size = 0;
    }

    private void close() {
        if (!outer.isEmpty()) {
            piece = size + piece + 2;
            size = outer.pop();
        }
    }

    /** Braces without a count are literal characters. */
    private void repeat() {
        int end = expression.indexOf('}', at);
        long most = end < 0 ? 0 : most(expression.substring(at, end));
        if (most > 0) {
            piece = Math.min(piece * most, Integer.MAX_VALUE);
            at = end + 1;
        } else {
            begin(1);
        }
    }

    /** The larger number of {@code n}, {@code n,} and {@code n,m}. */
    private static long most(String counts) {
        long most = 0;
        for (String count : counts.split(",", 2)) {
            boolean number = count.length() < 5 && count.chars().allMatch(digit -> digit >= '0' && digit <= '9');
            most = number && !count.isEmpty() ? Math.max(most, Long.parseLong(count)) : most;
        }
        return most;
    }
}
