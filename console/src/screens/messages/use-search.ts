/**
 * Message search by page. The API limits the time per page, so a page can be empty and have a successor; empty pages are
 * followed automatically.
 */
import { keepPreviousData, useInfiniteQuery, type InfiniteData, type QueryKey } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, type Data } from '../../api/call.ts'
import { toProblem, type Problem } from '../../api/problem.ts'
import type { Pages } from '../../api/queries.ts'
import type { MessageSearch } from './search-filter.ts'

export type MessagePage = Data<'searchMessages'>
export type MessageSummary = MessagePage['items'][number]

export interface SearchPages extends Pages<MessageSummary> {
  /** How far back the search has read, or null if it is complete. */
  readonly searchedUntil: string | null
  readonly readAt: number
}

/** A search without results stops after this many pages and offers to continue. */
const maxEmptyPages = 20

export function useSearch(filter: MessageSearch): SearchPages {
  const pages = useInfiniteQuery<MessagePage, Problem, InfiniteData<MessagePage>, QueryKey, string | null>({
    queryKey: ['searchMessages', filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        'searchMessages',
        { query: { ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
  const read = pages.data?.pages ?? []
  const rows = read.flatMap((page) => page.items)
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isPlaceholderData } = pages
  const shouldContinue =
    rows.length === 0 && hasNextPage && read.length < maxEmptyPages && !isPlaceholderData && !pages.isError
  useEffect(() => {
    if (shouldContinue && !isFetchingNextPage) void fetchNextPage()
  }, [shouldContinue, isFetchingNextPage, fetchNextPage])
  return {
    rows,
    loading: pages.isPending || shouldContinue || isPlaceholderData,
    loadingMore: isFetchingNextPage,
    problem: pages.error,
    hasMore: hasNextPage,
    loadMore: () => void fetchNextPage(),
    reload: () => void pages.refetch(),
    searchedUntil: read.at(-1)?.searchedUntil ?? null,
    readAt: pages.dataUpdatedAt,
  }
}

export interface RecipientQuery {
  readonly account: string
  readonly recipient: string
  readonly reason: string
}

interface RecipientResult {
  readonly query: RecipientQuery
  readonly pages: readonly MessagePage[]
  readonly readAt: number
}

export interface RecipientSearch {
  readonly query: RecipientQuery | null
  readonly pages: SearchPages
  /** Throws a `Problem`. */
  readonly search: (query: RecipientQuery) => Promise<void>
  readonly clear: () => void
}

/** Kept only in the memory of the screen. Every page is audited, so pages load only on request. */
export function useRecipientSearch(): RecipientSearch {
  const [result, setResult] = useState<RecipientResult | null>(null)
  const [working, setWorking] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const read = (query: RecipientQuery, cursor: string | null): Promise<MessagePage> =>
    call('searchRecipient', { body: { ...query, limit: 50, ...(cursor === null ? {} : { cursor }) } })
  const search = async (query: RecipientQuery): Promise<void> => {
    const first = await read(query, null)
    setProblem(null)
    setResult({ query, pages: [first], readAt: Date.now() })
  }
  const next = result?.pages.at(-1)?.next ?? null
  const loadMore = async (): Promise<void> => {
    if (result === null || next === null) return
    setWorking(true)
    setProblem(null)
    try {
      const page = await read(result.query, next)
      setResult({ ...result, pages: [...result.pages, page] })
    } catch (error) {
      setProblem(toProblem(error))
    } finally {
      setWorking(false)
    }
  }
  return {
    query: result?.query ?? null,
    search,
    clear: () => setResult(null),
    pages: {
      rows: result?.pages.flatMap((page) => page.items) ?? [],
      loading: false,
      loadingMore: working,
      problem,
      hasMore: next !== null,
      loadMore: () => void loadMore(),
      reload: () => void loadMore(),
      searchedUntil: result?.pages.at(-1)?.searchedUntil ?? null,
      readAt: result?.readAt ?? 0,
    },
  }
}
