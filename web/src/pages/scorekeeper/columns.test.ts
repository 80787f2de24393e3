import { expect, test } from "vitest";
import type { TableView } from "../../lib/types";
import { columnNames } from "./columns";

test("what a substitute took over stands under both names, and a new name under one", () => {
  const rows = [{ names: ["林", "周", "何", "小许"] }, { names: ["林", "周", "新来", "小许"] }];
  const table = { names: ["林", "周", "新来", "小许"], rows } as unknown as TableView;
  expect(columnNames(table)).toEqual(["林", "周", "何 → 新来", "小许"]);
});
