package dev.cella.planted.scheduler.service;

import java.util.function.LongSupplier;

final class ReadsTheClockByReference {
    LongSupplier clock() {
        return System::currentTimeMillis;
    }
}
