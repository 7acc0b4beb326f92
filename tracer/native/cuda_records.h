// CUPTI's buffers of records, and their way to the parent: ring-0, which no thread of the program
// writes and whose loss is no loss of calls.
#pragma once
#include <stddef.h>
#include <stdint.h>

struct cupti;

void cuda_records_begin(const struct cupti *cupti);
// All buffers come back, whatever is in them.
void cuda_records_flush(void);
void cuda_records_request(uint8_t **buffer, size_t *size, size_t *most_records);
void cuda_records_take(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid);
