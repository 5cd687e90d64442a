/**
 * Finds forms for sends. A form is usable in every process as soon as its registration has responded. A
 * change or deletion by another process takes effect within a second: no form is used from the cache for
 * longer, not even while PostgreSQL is unavailable; then the client receives A920 within a second.
 */
import { LRUCache } from 'lru-cache'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { withTimeout } from '../../contract/with-timeout.ts'
import { invalidFormId, isFormId, type Form } from './form.ts'
import { findForm } from './queries.ts'

export interface FormLookup {
  /** Throws a Problem: A250 if the account has no such form, A920 if PostgreSQL does not reply. */
  find(accountId: number, formId: string): Promise<Form>
  /** Discards the cached form. Call it when this process has changed or deleted the form. */
  forget(formId: string): void
}

export interface FormLookupOptions {
  /** Maximum number of cached forms; a form has at most 64 KB. */
  readonly capacity?: number
  readonly timeoutMs?: number
  /** The clock by which forms expire. */
  readonly now?: () => Date
}

const cachedMs = 1_000

export function createFormLookup(database: Database, options: FormLookupOptions = {}): FormLookup {
  const { capacity = 500, timeoutMs = 1_000, now = () => clock.date() } = options
  const cached = new LRUCache<string, Form>({ max: capacity, ttl: cachedMs })
  // A client gets an id only after its form exists, and no id is used twice, so an unknown one stays unknown.
  // Separate from the known forms, so that guessed ids cannot evict them.
  const unknown = new LRUCache<string, true>({ max: 1_000, ttl: cachedMs })
  const readings = new Map<string, Promise<Form | null>>()

  function read(id: string): Promise<Form | null> {
    // The row is read later than this moment, so a lifetime that starts here is never too long.
    const start = performance.now()
    const reading = withTimeout(timeoutMs, findForm(database, id), 'form lookup').then((form) => {
      // After `forget`, the row can be older than the change, so it is not cached.
      if (readings.get(id) === reading) {
        if (form === null) unknown.set(id, true, { start })
        else cached.set(id, form, { start })
      }
      return form
    })
    readings.set(id, reading)
    const done = (): void => {
      if (readings.get(id) === reading) readings.delete(id)
    }
    reading.then(done, done)
    return reading
  }

  async function findAny(id: string): Promise<Form | null> {
    if (!isFormId(id) || unknown.has(id)) return null
    return cached.get(id) ?? readings.get(id) ?? read(id)
  }

  return {
    async find(accountId, formId) {
      const form = await findAny(formId)
      if (form === null || form.accountId !== accountId || form.expiresAt <= now()) throw invalidFormId()
      return form
    },
    forget(formId) {
      cached.delete(formId)
      readings.delete(formId)
    },
  }
}
