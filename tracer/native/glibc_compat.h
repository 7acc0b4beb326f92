// Bound to the old versions of these symbols, so that the recorder runs on every glibc from 2.28
// on: glibc 2.34 moved them into libc under a new version. Included before every file.
#pragma once
#if defined(__GLIBC__) || defined(__gnu_linux__)
#if defined(__x86_64__)
#define BIND_OLD(name) __asm__(".symver " #name "," #name "@GLIBC_2.2.5")
#elif defined(__aarch64__)
#define BIND_OLD(name) __asm__(".symver " #name "," #name "@GLIBC_2.17")
#endif
#endif
#ifdef BIND_OLD
BIND_OLD(dladdr);
BIND_OLD(dlclose);
BIND_OLD(dlerror);
BIND_OLD(dlopen);
#ifndef DEFINES_DLSYM
BIND_OLD(dlsym);
#endif
BIND_OLD(dlvsym);
BIND_OLD(pthread_key_create);
BIND_OLD(pthread_mutex_trylock);
BIND_OLD(pthread_once);
BIND_OLD(pthread_setspecific);
#endif
