/** Hooks that read and change data. Reads are cached by operation and input and refetched after every change. */
import {
  keepPreviousData,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { call, type Data, type Input } from './call.ts'
import type { OperationId, Operations } from '../generated/operations.ts'
import type { Problem } from './problem.ts'

const maxRetries = 2

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      // Only transient failures are worth a retry.
      retry: (retries, error) =>
        retries < maxRetries && ['unreachable', 'unavailable'].includes((error as Problem).code),
    },
  },
})

export interface ReadOptions {
  /** Refetch interval while the page is visible. */
  readonly everyMs?: number
  readonly enabled?: boolean
}

export function useRead<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { everyMs, enabled = true }: ReadOptions = {},
): UseQueryResult<Data<Id>, Problem> {
  return useQuery<Data<Id>, Problem>({
    queryKey: [id, input],
    queryFn: ({ signal }) => call(id, input, { signal }),
    // Do not poll after 404: every such request of a client is audited.
    refetchInterval: ({ state }) => (state.error?.code === 'not-found' ? false : (everyMs ?? false)),
    enabled,
    placeholderData: keepPreviousData,
  })
}

/** Operations that return pages. */
export type ListId = {
  [Id in OperationId]: Data<Id> extends { readonly items: readonly unknown[]; readonly next: string | null }
    ? Id
    : never
}[OperationId]
export type Item<Id extends ListId> = Data<Id>['items'][number]

interface Page<Row> {
  readonly items: readonly Row[]
  readonly next: string | null
}

export interface Pages<Row> {
  readonly rows: readonly Row[]
  readonly loading: boolean
  readonly loadingMore: boolean
  readonly problem: Problem | null
  readonly hasMore: boolean
  readonly loadMore: () => void
  readonly reload: () => void
}

export function usePages<Id extends ListId>(
  id: Id,
  input: Input<Id>,
  { everyMs, enabled = true }: ReadOptions = {},
): Pages<Item<Id>> {
  const pages = useInfiniteQuery<
    Page<Item<Id>>,
    Problem,
    InfiniteData<Page<Item<Id>>>,
    QueryKey,
    string | null
  >({
    queryKey: [id, input],
    queryFn: async ({ pageParam, signal }) => await call(id, withCursor(input, pageParam), { signal }),
    initialPageParam: null,
    getNextPageParam: (last) => last.next,
    // A refetch loads every page again, so only a list with a single page is refreshed.
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 1 ? false : (everyMs ?? false)),
    enabled,
    placeholderData: keepPreviousData,
  })
  return {
    rows: pages.data?.pages.flatMap((page) => page.items) ?? [],
    loading: pages.isPending,
    loadingMore: pages.isFetchingNextPage,
    problem: pages.error,
    hasMore: pages.hasNextPage,
    loadMore: () => void pages.fetchNextPage(),
    reload: () => void pages.refetch(),
  }
}

function withCursor<Id extends ListId>(input: Input<Id>, cursor: string | null): Input<Id> {
  if (cursor === null) return input
  const { query } = input as { readonly query?: object }
  return { ...input, query: { ...query, cursor } }
}

/** Version of the object that an operation replaces, as it was read. */
export interface ReplacedVersion {
  readonly ifMatch?: string | undefined
}

/** Refetches everything on the screen after a success, because a change of one object can affect others. */
export function useChange<Id extends OperationId>(
  id: Id,
): UseMutationResult<Operations[Id]['data'], Problem, Input<Id> & ReplacedVersion> {
  const client = useQueryClient()
  return useMutation<Data<Id>, Problem, Input<Id> & ReplacedVersion>({
    mutationFn: (input) => call(id, input, { ifMatch: input.ifMatch }),
    onSuccess: () => client.invalidateQueries(),
  })
}
