package dev.cella.client.json;

import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import dev.cella.client.proto.Common;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The words of one enum: its values without the name of their type, in lower case if the enum asks for it.
 *
 * <p>The zero value has no word. It means "not set" and is not printed.
 */
final class EnumWords {
    private final Map<String, EnumValueDescriptor> values = new LinkedHashMap<>();
    private final String prefix;
    private final boolean lowerCase;

    EnumWords(EnumDescriptor type) {
        this.prefix = underscored(type.getName()) + "_";
        this.lowerCase = type.getOptions().getExtension(Common.lowerCaseWords);
        for (EnumValueDescriptor value : type.getValues()) {
            if (value.getNumber() != 0) {
                values.put(word(value), value);
            }
        }
    }

    private static String underscored(String camelCase) {
        return camelCase.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
    }

    String word(EnumValueDescriptor value) {
        String name = value.getName();
        String bare = name.startsWith(prefix) ? name.substring(prefix.length()) : name;
        return lowerCase ? bare.toLowerCase(Locale.ROOT) : bare;
    }

    /** A word in any case, its parts joined by a hyphen or an underscore. */
    Optional<EnumValueDescriptor> find(String written) {
        String upper = written.toUpperCase(Locale.ROOT).replace('-', '_');
        return Optional.ofNullable(values.get(lowerCase ? upper.toLowerCase(Locale.ROOT) : upper));
    }

    EnumValueDescriptor read(Scalar scalar) throws Misfit {
        return find(scalar.text()).orElseThrow(() -> unknown(scalar));
    }

    private Misfit unknown(Scalar scalar) {
        String known = String.join(", ", values.keySet());
        return new Misfit(NearestName.to(scalar.text(), values.keySet())
                .map(near -> "no such value: " + scalar.shown() + ", did you mean " + near + "?")
                .orElse("no such value: " + scalar.shown() + ", it is one of " + known));
    }
}
