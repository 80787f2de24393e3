// The columns of a table's record.
import type { TableView } from "../../lib/types";

/** The names over the columns of the record: of everybody who played there, where somebody took over. */
export const columnNames = (table: Pick<TableView, "names" | "rows">): string[] =>
  table.names.map((name, i) => [...new Set([...table.rows.map((row) => row.names[i] ?? name), name])].join(" → "));
