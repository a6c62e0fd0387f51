package dev.cella.planted.scheduling;

import com.google.protobuf.Empty;

final class AnswersAMessage {
    Empty answer() {
        return Empty.getDefaultInstance();
    }
}
