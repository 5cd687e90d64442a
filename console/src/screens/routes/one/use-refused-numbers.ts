/** The beginning of numbers that the carrier of a route refuses, as the alarm of the first screen names it. */
import { useNow, type Now } from '../../../api/now-feed.ts'

export type RefusedNumbers = Now['failures']['routes'][number] & { readonly prefix: string }

/** Undefined: none, or not known yet. */
export function useRefusedNumbers(route: string): RefusedNumbers | undefined {
  return useNow().now?.failures.routes.find(
    (one): one is RefusedNumbers => one.route === route && one.prefix !== null && one.prefix !== '',
  )
}
