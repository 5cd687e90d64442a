/**
 * How far the waiting steps of a route have been looked at for another route: a position for each account and lane. Steps
 * that have to stay are passed over, so that they do not hide those behind them. Accounts share a page equally, and an
 * account that is through leaves its share to the others. Kept by the callers of `moveWaiting`.
 */
import { lanes, type Lane } from '../../channels/lane.ts'
import { firstPage, type PagedStep, type PagePosition } from '../../records/waiting/read-waiting.ts'

export interface PageRequest {
  readonly after: ReadonlyMap<number, PagePosition>
  readonly perAccount: number
}

type Progress = Map<number, PagePosition | 'through'>

export class MovePass {
  readonly pageSize: number
  readonly #lanes = new Map<Lane, Progress>(lanes.map((lane) => [lane, new Map()]))

  constructor(pageSize = 1_000) {
    this.pageSize = pageSize
  }

  /** Starts again from the oldest steps: the routes have changed, and steps that had to stay may leave. */
  restart(): void {
    for (const progress of this.#lanes.values()) progress.clear()
  }

  /** What to read next for the accounts that have due steps; null when they are all through. */
  nextPage(lane: Lane, accounts: readonly number[]): PageRequest | null {
    const progress = this.#lanes.get(lane)!
    const after = new Map<number, PagePosition>()
    for (const account of accounts) {
      const position = progress.get(account) ?? firstPage
      if (position !== 'through') after.set(account, position)
      if (after.size === this.pageSize) break
    }
    return after.size === 0 ? null : { after, perAccount: Math.floor(this.pageSize / after.size) }
  }

  /** The steps of the page are done with. */
  advance(lane: Lane, { after, perAccount }: PageRequest, steps: readonly PagedStep[]): void {
    const progress = this.#lanes.get(lane)!
    const byAccount = Map.groupBy(steps, ({ accountId }) => accountId)
    for (const account of after.keys()) {
      const read = byAccount.get(account) ?? []
      progress.set(account, read.length < perAccount ? 'through' : read.at(-1)!.position)
    }
  }

  /** True when all accounts are through; the next page is then the first one again. */
  endIfComplete(lane: Lane, accounts: readonly number[]): boolean {
    if (this.nextPage(lane, accounts) !== null) return false
    this.#lanes.get(lane)!.clear()
    return true
  }
}
