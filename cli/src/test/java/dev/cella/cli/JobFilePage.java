package dev.cella.cli;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.cella.client.job.JobRules;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.proto.Check;
import dev.cella.client.proto.Common;
import dev.cella.client.proto.Distinct;
import dev.cella.client.proto.Gang;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import java.io.IOException;
import java.util.Optional;

/**
 * {@code docs/reference-job.md}: the fields from the descriptors, their meaning from the comments, their defaults from the
 * rules that fill them in, otherwise from the comments.
 */
final class JobFilePage {
    private static final String OWN_PACKAGE = "cella.v1";

    private final ProtoComments comments = ProtoComments.of("job.proto");
    private final StringBuilder text = new StringBuilder();

    JobFilePage() throws IOException {}

    String text() {
        text.append("""
            # The job file

            This page lists every field of a job, in a file for `cella job run` or in the body of `POST /v1/jobs`. It is made from
            the contract (`job.proto`) and from the rules that fill in the defaults, and a test holds it. The file is YAML or JSON.
            `cella job validate FILE` names every fault with its place; `/schemas/job.json` of a server is for editors.
            [placement.md](schedulers/placement.md) explains the fields about machines, with examples. A complete file is
            [examples/hello.yaml](../examples/hello.yaml).

            Durations are texts such as `250ms`, `10s`, `1h30m`. Values of an enumeration are read in any case.

            """);
        Both job = new Both(
                Optional.of(completed(JobType.JOB_TYPE_BATCH)), Optional.of(completed(JobType.JOB_TYPE_SERVICE)));
        section(Job.getDescriptor(), "", job);
        return text.toString();
    }

    /** A job that leaves out whatever a rule fills in. */
    private static Message completed(JobType type) {
        return JobRules.complete(Job.newBuilder()
                .setType(type)
                .addGroups(Group.newBuilder()
                        .setDistinct(Distinct.getDefaultInstance())
                        .setGang(Gang.getDefaultInstance())
                        .setCheck(Check.getDefaultInstance()))
                .build());
    }

    /** A part of the completed jobs, as far as they have it. */
    private record Both(Optional<Message> batch, Optional<Message> service) {
        Both part(FieldDescriptor field) {
            return new Both(batch.flatMap(job -> part(job, field)), service.flatMap(job -> part(job, field)));
        }

        private static Optional<Message> part(Message of, FieldDescriptor field) {
            if (field.isRepeated()) {
                return of.getRepeatedFieldCount(field) == 0
                        ? Optional.empty()
                        : Optional.of((Message) of.getRepeatedField(field, 0));
            }
            return of.hasField(field) ? Optional.of((Message) of.getField(field)) : Optional.empty();
        }

        Optional<String> value(FieldDescriptor field) {
            Optional<String> ofBatch = batch.flatMap(job -> value(job, field));
            Optional<String> ofService = service.flatMap(job -> value(job, field));
            return ofBatch.equals(ofService)
                    ? ofBatch
                    : Optional.of("batch: " + ofBatch.orElse("none") + "; service: " + ofService.orElse("none"));
        }

        private static Optional<String> value(Message of, FieldDescriptor field) {
            return Optional.ofNullable(new JsonCodec().writeParameters(of).get(field.getJsonName()))
                    .filter(value -> !value.isEmpty())
                    .map(value -> "`" + value + "`");
        }
    }

    private void section(Descriptor type, String path, Both completed) {
        text.append("## ").append(type.getName()).append("\n\n");
        if (!path.isEmpty()) {
            text.append(("`" + path + "` of the job. " + comments.of(type)).strip())
                    .append("\n\n");
        }
        MarkdownTable table = new MarkdownTable("field", "type", "default", "meaning");
        for (FieldDescriptor field : type.getFields()) {
            table.row(
                    "`" + field.getJsonName() + "`",
                    FieldTypes.of(field),
                    fallback(field, completed),
                    comments.meaning(field));
        }
        text.append(table);
        for (FieldDescriptor field : type.getFields()) {
            if (isPart(field)) {
                String below =
                        (path.isEmpty() ? "" : path + ".") + field.getJsonName() + (field.isRepeated() ? "[]" : "");
                section(field.getMessageType(), below, completed.part(field));
            }
        }
    }

    private String fallback(FieldDescriptor field, Both completed) {
        if (field.getOptions().getExtension(Common.required)) {
            return "required";
        }
        return completed
                .value(field)
                .or(() -> comments.fallback(field))
                .or(() -> isPart(field) ? Optional.of("its own defaults") : Optional.empty())
                .orElseThrow(() -> new AssertionError(field.getFullName() + " names no default in its comment"));
    }

    private static boolean isPart(FieldDescriptor field) {
        return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                && !field.isMapField()
                && field.getMessageType().getFile().getPackage().equals(OWN_PACKAGE);
    }
}
