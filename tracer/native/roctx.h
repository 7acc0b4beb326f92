#pragma once
#include "library.h"

extern struct library roctx_library;
