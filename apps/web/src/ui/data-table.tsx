import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<T> {
  readonly key: string;
  readonly header: string;
  readonly renderCell: (row: T) => ReactNode;
  /** Numbers stand at the end. */
  readonly isNumeric?: boolean;
}

interface DataTableProps<T> {
  /** Names the table. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** What stands in the one row of a table without rows. */
  empty: ReactNode;
  /** The rows are those of another page or filter, until the right ones are there. */
  isStale?: boolean;
}

/** A table; on a phone each row is a card whose values carry their column's name. */
export function DataTable<T>({ label, columns, rows, rowKey, empty, isStale = false }: DataTableProps<T>) {
  return (
    <div className={classes.frame} data-stale={isStale}>
      <table className={classes.table} aria-label={label} aria-busy={isStale}>
        <thead>
          <tr>
            {columns.map(({ key, header, isNumeric }) => (
              <th key={key} scope="col" data-numeric={isNumeric}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 && (
            <tr>
              <td colSpan={columns.length} className={classes.empty}>
                {empty}
              </td>
            </tr>
          )}
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ key, header, renderCell, isNumeric }) => (
                <td key={key} data-numeric={isNumeric}>
                  <span className={classes.name} aria-hidden="true">
                    {header}
                  </span>
                  {renderCell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
