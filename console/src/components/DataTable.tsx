/** Paginated table. On narrow screens each row becomes a block of labelled values. */
import type { ReactNode } from 'react'
import type { Pages } from '../api/queries.ts'
import { shared } from '../texts/shared.ts'
import { useTexts } from '../texts/texts.ts'
import { ProblemNotice } from './ProblemNotice.tsx'

export interface Column<Row> {
  readonly id: string
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  /** Use `end` for numbers. */
  readonly align?: 'end'
  /** Whether the cell names its row: it becomes the header of the row. */
  readonly isRowHeader?: boolean
}

interface Props<Row> {
  /** Describes the table for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly pages: Pages<Row>
  readonly rowKey: (row: Row) => string
  readonly empty?: ReactNode
}

export function DataTable<Row>({ caption, columns, pages, rowKey, empty }: Props<Row>) {
  const t = useTexts(shared)
  const { rows, loading, problem, hasMore } = pages
  return (
    <div>
      {problem === null ? null : <ProblemNotice problem={problem} onRetry={pages.reload} />}
      {loading ? (
        <p className="empty" role="status">
          {t.loading}
        </p>
      ) : rows.length === 0 && !hasMore ? (
        problem === null ? (
          <div className="card empty">{empty ?? t.nothing}</div>
        ) : null
      ) : (
        <div className="table-wrap" role="region" aria-label={caption} tabIndex={0}>
          <table className="table">
            <caption className="hidden-visually">{caption}</caption>
            <thead>
              <tr>
                {columns.map(({ id, head, align }) => (
                  <th key={id} scope="col" className={align}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={rowKey(row)}>
                  {columns.map((column) => (
                    <Cell key={column.id} column={column} row={row} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {loading ? null : <Foot pages={pages} />}
    </div>
  )
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { isRowHeader, align, head, cell } = column
  return isRowHeader === true ? (
    <th scope="row" className={align} data-label={head}>
      <div>{cell(row)}</div>
    </th>
  ) : (
    <td className={align} data-label={head}>
      <div>{cell(row)}</div>
    </td>
  )
}

function Foot<Row>({ pages: { rows, hasMore, loadingMore, loadMore } }: { readonly pages: Pages<Row> }) {
  const t = useTexts(shared)
  if (rows.length === 0 && !hasMore) return null
  return (
    <div className="table-foot">
      <span aria-live="polite">{t.loadedRows(rows.length)}</span>
      {hasMore ? (
        <button type="button" className="button" disabled={loadingMore} onClick={loadMore}>
          {loadingMore ? t.loading : t.loadMore}
        </button>
      ) : null}
    </div>
  )
}
