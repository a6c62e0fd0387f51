package dev.cella.client.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import com.google.protobuf.Message;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Messages of the wire contract as JSON and YAML, by their descriptors. The server's bodies, job files and {@code -o json} all
 * use it, so they can never differ.
 *
 * <h2>Why not protobuf's own JSON</h2> Its reader stops at the first fault and gives neither line nor column nor a suggestion.
 * Its printer drops zeros and prints 64-bit numbers as text. That is bad for people who write jobs by hand, and for programs
 * that read answers without a schema. So this codec has its own rules: names in lowerCamelCase, numbers as numbers, durations
 * as {@code 1h30m}, enum values without the name of their type, every unknown name refused with the nearest right one, and all
 * faults at once.
 *
 * <p>Safe to share between threads. Start reading at {@link MessageReader} or {@link MessageWriter}.
 */
public final class JsonCodec {
    static final int NESTING_MAX = 64;

    private static final StreamReadConstraints CONSTRAINTS =
            StreamReadConstraints.builder().maxNestingDepth(NESTING_MAX).build();

    /** Room for the largest request with its white space; a longer text is no request. */
    private static final int REQUEST_CHARACTERS_MAX = 2 << 20;

    private final Shapes shapes = new Shapes();
    private final Parameters parameters = new Parameters(shapes);
    private final KeyRule dimensionKeys;
    private final MessageRules rules;
    private final JsonFactory json;
    private final YAMLFactory yaml;

    /** A codec that accepts the built-in resource dimensions. */
    public JsonCodec() {
        this(new DimensionKeys());
    }

    /** A codec with a rule for the resource dimensions that a request may name. */
    public JsonCodec(KeyRule dimensionKeys) {
        this(dimensionKeys, MessageRules.NONE);
    }

    private JsonCodec(KeyRule dimensionKeys, MessageRules rules) {
        this.dimensionKeys = dimensionKeys;
        this.rules = rules;
        this.json = JsonFactory.builder().streamReadConstraints(CONSTRAINTS).build();
        this.yaml = yamlFactory();
    }

    /**
     * The same codec, which also applies rules to requests of one type that no schema can express. It applies them when the
     * form of a request has faults, so that a person gets all faults at once. A request without faults in its form is
     * returned, and its receiver applies the rules.
     */
    public <M extends Message> JsonCodec withRules(M type, Function<M, List<Fault>> check) {
        return new JsonCodec(dimensionKeys, MessageRules.of(type, check));
    }

    private static YAMLFactory yamlFactory() {
        LoaderOptions options = new LoaderOptions();
        options.setNestingDepthLimit(NESTING_MAX);
        options.setCodePointLimit(REQUEST_CHARACTERS_MAX);
        return YAMLFactory.builder()
                .streamReadConstraints(CONSTRAINTS)
                .loaderOptions(options)
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .disable(YAMLGenerator.Feature.SPLIT_LINES)
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                .stringQuotingChecker(new MoreQuoted())
                .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                .build();
    }

    /** Reads a request: unknown fields are refused, and required fields must be present. */
    public <M extends Message> M read(M type, Source source) {
        return readLocated(type, source).message();
    }

    /** Reads a request and records the places of its parts, for faults that are found later. */
    public <M extends Message> Located<M> readLocated(M type, Source source) {
        Message.Builder into = type.newBuilderForType();
        Faults faults = new Faults();
        Map<String, Location> places = readRequest(into, source, faults);
        rules.addTo(faults, into, places);
        faults.throwIfAny();
        return new Located<>(built(type, into), places);
    }

    /**
     * Reads a request over HTTP: some of its fields are in its address, the others in its body.
     *
     * @param addressed the fields in the path and the query, by name
     * @param body empty if the call has none
     */
    public <M extends Message> M read(M type, Map<String, ? extends List<String>> addressed, Optional<Source> body) {
        Message.Builder into = type.newBuilderForType();
        Faults faults = new Faults();
        parameters.read(into, addressed, faults);
        body.ifPresent(source -> rules.addTo(faults, into, readRequest(into, source, faults)));
        faults.throwIfAny();
        return built(type, into);
    }

    /** Applies the same rules to a request that came as a message, by reading it as it would be written. */
    public <M extends Message> M check(M request) {
        return read(request, Source.json(write(request)));
    }

    /** Reads an answer of a cell, and skips what only a newer cell could send. */
    public <M extends Message> M readAnswer(M type, Source answer) {
        Message.Builder into = type.newBuilderForType();
        Faults faults = new Faults();
        read(into, answer, Strictness.ANSWER, faults);
        faults.throwIfAny();
        return built(type, into);
    }

    private Map<String, Location> readRequest(Message.Builder into, Source source, Faults faults) {
        if (source.text().length() > REQUEST_CHARACTERS_MAX) {
            faults.add(Path.ROOT, Location.NOWHERE, "is too large: at most " + REQUEST_CHARACTERS_MAX + " characters");
            return Map.of();
        }
        return read(into, source, Strictness.REQUEST, faults);
    }

    private Map<String, Location> read(Message.Builder into, Source source, Strictness strictness, Faults faults) {
        boolean typed = source.format() == Source.Format.JSON;
        try (JsonParser parser = (typed ? json : yaml).createParser(source.text())) {
            MessageReader reader = new MessageReader(parser, typed, shapes, strictness, dimensionKeys, faults);
            reader.read(into);
            return reader.places();
        } catch (IOException impossible) {
            throw new UncheckedIOException("reading a text in memory", impossible);
        }
    }

    @SuppressWarnings("unchecked") // what an M is, its class says
    private static <M extends Message> M built(M type, Message.Builder builder) {
        Class<M> kind = (Class<M>) type.getClass();
        return kind.cast(builder.build());
    }

    /** One line of JSON. */
    public String write(Message message) {
        return write(message, json, null);
    }

    /** JSON for people, on many lines. */
    public String writePretty(Message message) {
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentObjectsWith(indenter);
        printer.indentArraysWith(indenter);
        return write(message, json, printer);
    }

    /** A YAML document. */
    public String writeYaml(Message message) {
        return write(message, yaml, null);
    }

    private String write(Message message, JsonFactory factory, @Nullable DefaultPrettyPrinter printer) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = factory.createGenerator(text)) {
            if (printer != null) {
                out.setPrettyPrinter(printer);
            }
            new MessageWriter(out, shapes).writeMessage(message);
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory", impossible);
        }
        return text.toString();
    }

    /** The fields of a request that an address can have, as text; fields that are not set are left out. */
    public Map<String, String> writeParameters(Message request) {
        return parameters.write(request);
    }

    /**
     * Quotes the line breaks of old systems and of Unicode, which unquoted YAML folds into spaces, and what readers of YAML 1.1
     * take for something else than text: a date, with or without a time, and other forms of numbers such as 0x1f or 20:30.
     */
    private static final class MoreQuoted extends StringQuotingChecker.Default {
        private static final long serialVersionUID = 1L;

        private static final Pattern RARE_LINE_BREAK = Pattern.compile("[\u0085\u2028\u2029]");
        private static final Pattern BASE_60 = Pattern.compile("[-+]?\\d[\\d_]*(:[0-5]?\\d)+(\\.[\\d_]*)?");
        private static final Resolver YAML_1_1 = new Resolver();

        private static boolean isMisread(String text) {
            return RARE_LINE_BREAK.matcher(text).find()
                    || BASE_60.matcher(text).matches()
                    || !YAML_1_1.resolve(NodeId.scalar, text, true).equals(Tag.STR);
        }

        @Override
        public boolean needToQuoteName(String name) {
            return isMisread(name) || super.needToQuoteName(name);
        }

        @Override
        public boolean needToQuoteValue(String value) {
            return isMisread(value) || super.needToQuoteValue(value);
        }
    }
}
