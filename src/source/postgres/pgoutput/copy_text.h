// Rows of `COPY ... TO STDOUT` in text form (PG-LIBPQ-20), split into cells where they lie. Total over
// any bytes. No connection here.
#pragma once

#include <cstddef>
#include <vector>

#include "cdc/codec.h"
#include "source/postgres/pgoutput/decoder.h"

namespace cdc::pg::pgoutput {

// Splits one row (with or without its final line feed) at the tabs and takes the escapes back, in
// place: `data` is changed, the cells point into it. `cells` is reused. A row of a table without
// columns is one empty line: ask for `columns` == 0. False: the row has not `columns` fields.
bool split_copy_row(char* data, std::size_t size, std::size_t columns, std::vector<Cell>& cells,
                    Fault& fault);

}  // namespace cdc::pg::pgoutput
