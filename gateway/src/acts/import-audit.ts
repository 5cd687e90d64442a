/** What the audit log says of an import of senders: a row for each account, with the first of its senders. Pure. */
import type { ChangedSender } from '../trust/senders/register.ts'
import type { Subject } from './act-audit.ts'
import { senderSubject } from './senders.ts'

/** Senders that a row names. The history of each sender has every change. */
const maxNamed = 10

export interface ImportCounts {
  /** The sum of the others. */
  readonly changed: number
  /** Not registered before. */
  readonly new: number
  /** Pending before, and active now. */
  readonly approved: number
  /** In the same state as before, with another proof or end. */
  readonly replaced: number
}

export function countChanges(changes: readonly ChangedSender[]): ImportCounts {
  const added = changes.filter(({ from }) => from === null).length
  const replaced = changes.filter(({ from, to }) => from === to).length
  const changed = changes.length
  return { changed, new: added, approved: changed - added - replaced, replaced }
}

/** `common`: of the details of every row. */
export function importSubjects(
  changes: readonly ChangedSender[],
  clientIdOf: (accountId: number) => string,
  common: Readonly<Record<string, unknown>>,
): Subject[] {
  const byAccount = Map.groupBy(changes, ({ accountId }) => accountId)
  return [...byAccount].map(([accountId, ofAccount]) => {
    const account = clientIdOf(accountId)
    const senders = ofAccount
      .slice(0, maxNamed)
      .map(({ kind, value }) => senderSubject(account, kind, value).target)
    return { target: 'senders', account, details: { ...common, ...countChanges(ofAccount), senders } }
  })
}
