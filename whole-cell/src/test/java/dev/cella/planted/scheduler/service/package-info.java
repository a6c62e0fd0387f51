@NullMarked
package dev.cella.planted.scheduler.service;

import org.jspecify.annotations.NullMarked;
