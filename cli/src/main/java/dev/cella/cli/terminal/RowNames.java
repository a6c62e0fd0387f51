package dev.cella.cli.terminal;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The names in an answer, for {@code -o name}: those of its rows, otherwise its own. */
final class RowNames {
    private static final List<String> NAMING_FIELDS = List.of("name", "task", "job");

    private RowNames() {}

    static List<String> of(Message answer) {
        Optional<String> own = name(answer);
        return own.map(List::of).orElseGet(() -> ofRows(answer));
    }

    private static List<String> ofRows(Message answer) {
        for (FieldDescriptor field : answer.getDescriptorForType().getFields()) {
            boolean rows = field.isRepeated()
                    && !field.isMapField()
                    && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
            if (rows && namingField(field.getMessageType().getFields()).isPresent()) {
                List<String> names = new ArrayList<>();
                for (Object row : (List<?>) answer.getField(field)) {
                    names.add(name((Message) row).orElseThrow());
                }
                return names;
            }
        }
        throw none();
    }

    private static Optional<String> name(Message row) {
        return namingField(row.getDescriptorForType().getFields()).map(field -> (String) row.getField(field));
    }

    private static Optional<FieldDescriptor> namingField(List<FieldDescriptor> fields) {
        return NAMING_FIELDS.stream()
                .flatMap(name -> fields.stream().filter(field -> field.getName().equals(name)))
                .filter(field -> field.getJavaType() == FieldDescriptor.JavaType.STRING && !field.isRepeated())
                .findFirst();
    }

    static CommandFailure none() {
        return CommandFailure.usage("what this command shows has no names", "use -o table, json or yaml");
    }
}
