/** Pages of the search. A page may be empty and still have a next one, because each takes a bounded time: an empty search goes on by itself. */
import { keepPreviousData, useInfiniteQuery, type InfiniteData, type QueryKey } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, type Data } from '../../api/call.ts'
import { toProblem, type Problem } from '../../api/problem.ts'
import type { Pages } from '../../api/queries.ts'
import type { MessageSearch } from './search-filter.ts'

export type FoundPage = Data<'searchMessages'>
export type Found = FoundPage['items'][number]

export interface SearchPages extends Pages<Found> {
  /** How far back the search has come; null: to the end. */
  readonly searchedUntil: string | null
  readonly readAt: number
}

/** A search that finds nothing reads this many pages, about three seconds, before the operator decides. */
const maxEmptyPages = 20

export function useSearch(filter: MessageSearch): SearchPages {
  const pages = useInfiniteQuery<FoundPage, Problem, InfiniteData<FoundPage>, QueryKey, string | null>({
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
  const goesOn =
    rows.length === 0 && hasNextPage && read.length < maxEmptyPages && !isPlaceholderData && !pages.isError
  useEffect(() => {
    if (goesOn && !isFetchingNextPage) void fetchNextPage()
  }, [goesOn, isFetchingNextPage, fetchNextPage])
  return {
    rows,
    loading: pages.isPending || goesOn || isPlaceholderData,
    loadingMore: isFetchingNextPage,
    problem: pages.error,
    hasMore: hasNextPage,
    loadMore: () => void fetchNextPage(),
    reload: () => void pages.refetch(),
    searchedUntil: read.at(-1)?.searchedUntil ?? null,
    readAt: pages.dataUpdatedAt,
  }
}

export interface RecipientQuestion {
  readonly account: string
  readonly recipient: string
  readonly reason: string
}

interface RecipientAnswer {
  readonly question: RecipientQuestion
  readonly pages: readonly FoundPage[]
  readonly readAt: number
}

export interface RecipientSearch {
  readonly question: RecipientQuestion | null
  readonly pages: SearchPages
  /** Fails with a `Problem`. */
  readonly ask: (question: RecipientQuestion) => Promise<void>
  readonly clear: () => void
}

/** Kept in the memory of the screen alone. Every page is a row of the audit log, so none is read unasked. */
export function useRecipientSearch(): RecipientSearch {
  const [answer, setAnswer] = useState<RecipientAnswer | null>(null)
  const [working, setWorking] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const read = (question: RecipientQuestion, cursor: string | null): Promise<FoundPage> =>
    call('searchRecipient', {
      body: { ...question, limit: 50, ...(cursor === null ? {} : { cursor }) },
    })
  const ask = async (question: RecipientQuestion): Promise<void> => {
    const first = await read(question, null)
    setProblem(null)
    setAnswer({ question, pages: [first], readAt: Date.now() })
  }
  const next = answer?.pages.at(-1)?.next ?? null
  const loadMore = async (): Promise<void> => {
    if (answer === null || next === null) return
    setWorking(true)
    setProblem(null)
    try {
      const page = await read(answer.question, next)
      setAnswer({ ...answer, pages: [...answer.pages, page] })
    } catch (error) {
      setProblem(toProblem(error))
    } finally {
      setWorking(false)
    }
  }
  return {
    question: answer?.question ?? null,
    ask,
    clear: () => setAnswer(null),
    pages: {
      rows: answer?.pages.flatMap((page) => page.items) ?? [],
      ...{ loading: false, loadingMore: working, problem, hasMore: next !== null },
      loadMore: () => void loadMore(),
      reload: () => void loadMore(),
      searchedUntil: answer?.pages.at(-1)?.searchedUntil ?? null,
      readAt: answer?.readAt ?? 0,
    },
  }
}
