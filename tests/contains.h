#pragma once
// Qt Test has no word for a text that is part of another.

#include <QtTest>

#include <string>

// Fails with the whole text.
#define CONTAINS(text, part)                                                                                 \
    do {                                                                                                     \
        const std::string seen = (text);                                                                     \
        QVERIFY2(seen.find(part) != std::string::npos, seen.c_str());                                        \
    } while (false)
