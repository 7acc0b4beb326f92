// Files of the process' folder by which it hands over code: lines of text, and copies. Nothing of
// them may hurt the program: not a full disk, nor its own limits, nor a size that is not so.
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { CODE_COPIED_MOST = 16 << 20 };

// A line, with its end, that was not told yet.
void code_file_line(const char *line, size_t length);
// These bytes, once for each content. Their hash, which is in the copy's name; 0: they are not
// there, too many, or could not be written.
uint64_t code_file_copy(const void *bytes, uint64_t size);
