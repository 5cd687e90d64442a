/** Number prefix that the carrier refuses, as reported by the alarm. */
import { useNow, type Now } from '../../../api/now-feed.ts'

export type RefusedNumbers = Now['failures']['routes'][number] & { readonly prefix: string }

/** Returns undefined if there is none, or while loading. */
export function useRefusedNumbers(route: string): RefusedNumbers | undefined {
  return useNow().now?.failures.routes.find(
    (one): one is RefusedNumbers => one.route === route && one.prefix !== null && one.prefix !== '',
  )
}
