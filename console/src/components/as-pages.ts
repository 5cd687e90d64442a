/** Adapters that show complete lists in `DataTable`. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { Problem } from '../api/problem.ts'
import type { Pages } from '../api/queries.ts'

export function asPages<Data, Row>(
  read: UseQueryResult<Data, Problem>,
  rowsOf: (data: Data) => readonly Row[],
): Pages<Row> {
  return {
    rows: read.data === undefined ? [] : rowsOf(read.data),
    loading: read.isPending,
    loadingMore: false,
    problem: read.error,
    hasMore: false,
    loadMore: () => undefined,
    reload: () => void read.refetch(),
  }
}

export function allRows<Row>(rows: readonly Row[]): Pages<Row> {
  const nothing = (): void => undefined
  return {
    rows,
    loading: false,
    loadingMore: false,
    problem: null,
    hasMore: false,
    loadMore: nothing,
    reload: nothing,
  }
}
