/**
 * Reads choices into memory, in pages: all of them at the start, then what changed. The hourly reading of all runs beside
 * that, because other rules must not wait for long lists: it fills a copy, which then takes the place of the present one. Should it fail, the next hour reads again.
 */
import type { Queryable } from '../../platform/database.ts'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import { ChoiceIndex } from './choice-index.ts'
import {
  newestChoiceVersion,
  pageSizes,
  readAllChoices,
  readChoicesFrom,
  type TakeChoice,
} from './queries.ts'

export function createChoiceReader(
  index: ChoiceIndex,
  openBlindIndex: () => Promise<BlindIndex>,
  pages = pageSizes,
): (database: Queryable, version?: string) => Promise<void> {
  /** Up to which changes are read; undefined before the first reading. */
  let known: string | undefined
  let hasKey = false
  let isReadingAll = false
  /** Changes are applied one after the other. */
  let turn: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }
  const into =
    (target: ChoiceIndex): TakeChoice =>
    ({ accountId, recipient, state, night }) =>
      target.put(accountId, recipient, state, night)

  async function readAll(database: Queryable): Promise<void> {
    const from = await newestChoiceVersion(database)
    const fresh = new ChoiceIndex()
    await readAllChoices(database, into(fresh), pages)
    await inTurn(async () => {
      known = await readChoicesFrom(database, from, into(fresh), pages)
      index.replaceWith(fresh)
    })
  }

  return async (database, version) => {
    // Before the first choice is in memory, which is looked up by it.
    if (!hasKey && (await newestChoiceVersion(database)) !== '0') {
      index.blindIndex = await openBlindIndex()
      hasKey = true
    }
    const from = known
    // A failover can take the version back.
    if (from === undefined || (version !== undefined && BigInt(version) < BigInt(from)))
      return readAll(database)
    await inTurn(async () => {
      known = await readChoicesFrom(database, from, into(index), pages)
    })
    if (version !== undefined || isReadingAll) return
    isReadingAll = true
    void readAll(database)
      .catch(() => undefined)
      .finally(() => (isReadingAll = false))
  }
}
