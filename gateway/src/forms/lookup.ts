/**
 * What sends know of forms. A form is usable everywhere as soon as its registration is answered; one that was changed
 * or deleted in another process is used for a second at most. It is therefore never used from memory for longer, not
 * even while PostgreSQL is away: then the client is told within a second to send again.
 */
import type { Database } from '../platform/database.ts'
import { withTimeout } from '../contract/with-timeout.ts'
import { invalidFormId, isFormId, type Form } from './form.ts'
import { findForm } from './queries.ts'
import { Recent } from './recent.ts'

export interface FormLookup {
  /** Throws a Problem: A250 when the account has no such form now, A920 when that cannot be found out now. */
  find(accountId: number, formId: string): Promise<Form>
  /** The form was changed or deleted by this process: the next send sees that at once. */
  forget(formId: string): void
}

export interface FormLookupOptions {
  /** A form is 64 KB at most; more than this many are not kept at a time. */
  readonly capacity?: number
  readonly timeoutMs?: number
  /** The time by which forms expire. */
  readonly now?: () => Date
}

const keptMs = 1_000

export function createFormLookup(database: Database, options: FormLookupOptions = {}): FormLookup {
  const { capacity = 500, timeoutMs = 1_000, now = () => new Date() } = options
  const known = new Recent<Form>(capacity)
  // An id is told to nobody before its form exists and is never used again, so an unknown one stays unknown. Apart from
  // the known ones, so that guessing ids cannot drive those out.
  const unknown = new Recent<true>(1_000)
  const readings = new Map<string, Promise<Form | null>>()

  function read(id: string): Promise<Form | null> {
    // What is read is true at some moment after this one: counted from here, nothing is kept too long.
    const startedAt = performance.now()
    const reading = withTimeout(timeoutMs, findForm(database, id), 'the form cannot be looked up').then(
      (form) => {
        // Not when it was forgotten meanwhile: what was read may be what was there before.
        if (readings.get(id) === reading) {
          if (form === null) unknown.set(id, true, startedAt + keptMs, performance.now())
          else known.set(id, form, startedAt + keptMs, performance.now())
        }
        return form
      },
    )
    readings.set(id, reading)
    const done = (): void => {
      if (readings.get(id) === reading) readings.delete(id)
    }
    reading.then(done, done)
    return reading
  }

  async function findAny(id: string): Promise<Form | null> {
    if (!isFormId(id) || unknown.get(id, performance.now()) === true) return null
    return known.get(id, performance.now()) ?? readings.get(id) ?? read(id)
  }

  return {
    async find(accountId, formId) {
      const form = await findAny(formId)
      if (form === null || form.accountId !== accountId || form.expiresAt <= now()) throw invalidFormId()
      return form
    },
    forget(formId) {
      known.delete(formId)
      readings.delete(formId)
    },
  }
}
