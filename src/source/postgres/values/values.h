// PostgreSQL's text of a value -> JSON text of an event. All of it in one include for whoever picks
// a codec for a column.
//
// Every append_* function here is pure and total: it takes the server's text (UTF-8; DateStyle ISO,
// IntervalStyle postgres, any bytea_output) and appends one JSON value to `out`, or it returns false
// and has appended nothing: the text is malformed or the asked form cannot express the value.
// They do not allocate besides growing `out`, hold no state and may be called from any thread.
// `text` must not point into `out`. SQL NULL never comes here.
//
// Strings without a form of their own (text, varchar, bpchar, name, citext, json, xml, uuid, enum,
// ltree, tsvector, network types, ranges, isbn) are json::append_string(out, text).
#pragma once

#include "source/postgres/values/array_text.h"
#include "source/postgres/values/binary.h"
#include "source/postgres/values/bits.h"
#include "source/postgres/values/hstore.h"
#include "source/postgres/values/interval.h"
#include "source/postgres/values/money.h"
#include "source/postgres/values/numeric.h"
#include "source/postgres/values/scalar.h"
#include "source/postgres/values/spatial.h"
#include "source/postgres/values/temporal.h"
#include "source/postgres/values/vector.h"
