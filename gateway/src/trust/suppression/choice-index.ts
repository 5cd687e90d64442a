/**
 * The choices of all recipients in memory, by account and blind index. A lookup costs one hash if the account
 * has choices, and another one if choices for every account exist.
 */
import type { Queryable } from '../../platform/database/database.ts'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import { allAccountsId, type RecipientChoice } from './choice.ts'
import { ChoiceTable } from './choice-table.ts'
import { choicePageSize, readChoices, toRecipientKey, type StoredChoice } from './store.ts'

/** The table stores the position in this array plus one. */
const choices: readonly RecipientChoice[] = [
  { state: 'suppressed', night: false },
  { state: 'suppressed', night: true },
  { state: 'agreed', night: false },
  { state: 'agreed', night: true },
]

export class ChoiceIndex {
  // A recipient key belongs to one account, so one table is enough for all.
  #table = new ChoiceTable()
  #countByAccount = new Map<number, number>()
  #blindIndex: BlindIndex | undefined

  constructor(blindIndex?: BlindIndex) {
    this.#blindIndex = blindIndex
  }

  replaceWith(other: ChoiceIndex, blindIndex = this.#blindIndex): void {
    this.#table = other.#table
    this.#countByAccount = other.#countByAccount
    this.#blindIndex = blindIndex
  }

  put({ accountId, recipient, state, night }: StoredChoice): void {
    const isNone = state === 'none'
    const value = 1 + choices.findIndex((choice) => choice.state === state && choice.night === night)
    const previous = isNone ? this.#table.delete(recipient) : this.#table.set(recipient, value)
    const change = (isNone ? 0 : 1) - (previous === undefined ? 0 : 1)
    if (change !== 0) this.#countByAccount.set(accountId, (this.#countByAccount.get(accountId) ?? 0) + change)
  }

  /** Returns the choice about this account, excluding choices for every account. */
  get(accountId: number, to: string): RecipientChoice | undefined {
    if ((this.#countByAccount.get(accountId) ?? 0) <= 0 || this.#blindIndex === undefined) return undefined
    const value = this.#table.get(toRecipientKey(this.#blindIndex, accountId, to))
    return value === undefined ? undefined : choices[value - 1]
  }

  isSuppressed(accountId: number, to: string): boolean {
    return (
      this.get(accountId, to)?.state === 'suppressed' || this.get(allAccountsId, to)?.state === 'suppressed'
    )
  }

  allowsNight(accountId: number, to: string): boolean {
    const choice = this.get(accountId, to)
    return choice?.state === 'agreed' && choice.night
  }
}

/**
 * Creates the function that keeps the index up to date: it reads everything at the start, then only changes.
 * Without a version it reads everything again, in the background because other rules must not wait for long
 * lists.
 */
export function createChoiceLoader(
  index: ChoiceIndex,
  openBlindIndex: () => Promise<BlindIndex>,
  pageSize = choicePageSize,
): (database: Queryable, version?: string) => Promise<void> {
  /** The version up to which changes are applied; '0' while there are none. */
  let appliedVersion = '0'
  let isReadingAll = false
  let lastChange: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const current = lastChange.then(work)
    lastChange = current.catch(() => undefined)
    return current
  }

  async function readAll(database: Queryable): Promise<void> {
    const fresh = new ChoiceIndex()
    const put = (choice: StoredChoice): void => fresh.put(choice)
    const version = await readChoices(database, '0', put, pageSize)
    await inTurn(async () => {
      const last = await readChoices(database, version, put, pageSize)
      // Before the first choice the key can be missing.
      index.replaceWith(fresh, last === '0' ? undefined : await openBlindIndex())
      appliedVersion = last
    })
  }

  return async (database, version) => {
    // A failover can decrease the version.
    if (appliedVersion === '0' || (version !== undefined && BigInt(version) < BigInt(appliedVersion)))
      return readAll(database)
    await inTurn(async () => {
      appliedVersion = await readChoices(database, appliedVersion, (choice) => index.put(choice), pageSize)
    })
    if (version !== undefined || isReadingAll) return
    isReadingAll = true
    void readAll(database)
      .catch(() => undefined)
      .finally(() => (isReadingAll = false))
  }
}
