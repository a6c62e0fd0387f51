package dev.cella.cli.terminal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Says why a file cannot be used. The library's exceptions for the usual reasons have only its name as their message. */
public final class FileWords {
    private FileWords() {}

    /** The failure with its file, as after {@code error:}. */
    public static String of(IOException failure) {
        boolean hasFile = failure instanceof FileSystemException named && named.getFile() != null;
        return hasFile && !reason(failure).equals(failure.getMessage())
                ? ((FileSystemException) failure).getFile() + ": " + reason(failure)
                : String.valueOf(failure.getMessage());
    }

    /** The same without the file, where the usual reasons are concerned. */
    public static String reason(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof DirectoryNotEmptyException) {
            return "the directory is not empty";
        }
        if (failure instanceof NotDirectoryException) {
            return "it is no directory";
        }
        if (failure instanceof FileAlreadyExistsException existing) {
            return Files.isDirectory(Path.of(existing.getFile())) ? "it is a directory" : "it is a file";
        }
        return String.valueOf(failure.getMessage());
    }
}
