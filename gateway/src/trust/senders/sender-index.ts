/** All registered senders in memory, by account and kind, and their accounts by sender. */
import {
  computeSenderState,
  sufficientKinds,
  type RegisteredSender,
  type SenderKind,
  type SenderState,
  type StoredSenderState,
} from './sender.ts'

interface Entry {
  readonly state: StoredSenderState
  readonly validUntil: Date | null
  readonly createdAt: Date
}

export interface ChangedSenders {
  /** The version of the newest change. */
  readonly version: string
  readonly senders: readonly (Pick<RegisteredSender, 'accountId' | 'kind' | 'value'> & Entry)[]
}

export class SenderIndex {
  readonly #accounts = new Map<number, Map<SenderKind, Map<string, Entry>>>()
  /** The account or accounts of each sender; almost all have one. */
  readonly #accountsBySender = new Map<SenderKind, Map<string, number | Set<number>>>()
  /** Accounts that have or had a blocked sender. */
  readonly #withBlocked = new Set<number>()
  #version = '0'

  /** The version up to which changes are applied. */
  get version(): string {
    return this.#version
  }

  replace(senders: ChangedSenders): void {
    this.#accounts.clear()
    this.#accountsBySender.clear()
    this.#withBlocked.clear()
    this.apply(senders)
  }

  apply({ version, senders }: ChangedSenders): void {
    for (const { accountId, kind, value, state, validUntil, createdAt } of senders) {
      let kinds = this.#accounts.get(accountId)
      if (kinds === undefined)
        this.#accounts.set(accountId, (kinds = new Map<SenderKind, Map<string, Entry>>()))
      let values = kinds.get(kind)
      if (values === undefined) kinds.set(kind, (values = new Map<string, Entry>()))
      if (!values.has(value)) this.#addAccount(kind, value, accountId)
      values.set(value, { state, validUntil, createdAt })
      if (state === 'blocked') this.#withBlocked.add(accountId)
    }
    this.#version = version
  }

  #addAccount(kind: SenderKind, value: string, accountId: number): void {
    let accounts = this.#accountsBySender.get(kind)
    if (accounts === undefined)
      this.#accountsBySender.set(kind, (accounts = new Map<string, number | Set<number>>()))
    const existing = accounts.get(value)
    if (existing === undefined) accounts.set(value, accountId)
    else if (typeof existing === 'number') accounts.set(value, new Set([existing, accountId]))
    else existing.add(accountId)
  }

  /**
   * Reports whether the sender is blocked. A block of one kind also applies to the others: a blocked number
   * is blocked as an international sender.
   */
  isBlocked(accountId: number, value: string): boolean {
    if (!this.#withBlocked.has(accountId)) return false
    const kinds = this.#accounts.get(accountId)
    if (kinds === undefined) return false
    for (const values of kinds.values()) if (values.get(value)?.state === 'blocked') return true
    return false
  }

  /** Returns the accounts that registered the sender, in any state but rejected. */
  findSenderAccounts(kind: SenderKind, value: string): number[] {
    return this.#findAccounts(kind, value, ({ state }) => state !== 'rejected')
  }

  /**
   * Returns the accounts that can use the sender now. With `at`, only those that had registered it by then.
   */
  findHolders(kind: SenderKind, value: string, now: number, at = Infinity): number[] {
    return this.#findAccounts(
      kind,
      value,
      (entry) => computeSenderState(entry, now) === 'active' && entry.createdAt.getTime() <= at,
    )
  }

  /** Returns the accounts with such a registration of any sufficient kind. */
  #findAccounts(kind: SenderKind, value: string, matches: (entry: Entry) => boolean): number[] {
    const found = new Set<number>()
    for (const sufficient of sufficientKinds[kind]) {
      const accounts = this.#accountsBySender.get(sufficient)?.get(value) ?? []
      for (const accountId of typeof accounts === 'number' ? [accounts] : accounts)
        if (matches(this.#accounts.get(accountId)!.get(sufficient)!.get(value)!)) found.add(accountId)
    }
    return [...found]
  }

  /** Returns the state of the first sufficient registration that is active, otherwise of the first one. */
  getState(accountId: number, kind: SenderKind, value: string, now: number): SenderState | 'unknown' {
    let found: SenderState | 'unknown' = 'unknown'
    for (const sufficient of sufficientKinds[kind]) {
      const entry = this.#accounts.get(accountId)?.get(sufficient)?.get(value)
      if (entry === undefined) continue
      const state = computeSenderState(entry, now)
      if (state === 'active') return state
      if (found === 'unknown') found = state
    }
    return found
  }
}
