/** SQL of recipient_choices that reads; `changes.ts` writes. Numbers are stored as blind indexes only. */
import type { Queryable } from '../../platform/database.ts'
import type { StoredChoice } from './choice-index.ts'
import type { ChoiceSource, ChoiceState } from './choice.ts'

/** Rows of one statement: however long the lists are, a process holds no more at a time. */
export interface PageSizes {
  readonly changed: number
  readonly all: number
}

export const pageSizes: PageSizes = { changed: 10_000, all: 50_000 }

/** The newest change, or 0. */
export async function newestChoiceVersion(database: Queryable): Promise<string> {
  const result = await database.query<{ version: string }>({
    name: 'newest-choice-version',
    text: `select coalesce((select version from recipient_choices order by version desc limit 1), 0)::text as version`,
  })
  return result.rows[0]!.version
}

export type TakeChoice = (choice: StoredChoice) => void

/**
 * Everything that changed with `version` or after it, `version` itself again, as for senders. Returns the newest version. A row
 * that changes meanwhile gets a newer version, so that a later page has it.
 */
export async function readChoicesFrom(
  database: Queryable,
  version: string,
  take: TakeChoice,
  { changed: page } = pageSizes,
): Promise<string> {
  let last: Pick<StoredChoice, 'accountId' | 'recipient'> & { readonly version: string } = {
    ...{ version, accountId: -1, recipient: Buffer.alloc(0) },
  }
  for (;;) {
    const { rows } = await database.query<StoredChoice & { version: string }>({
      name: 'read-changed-choices',
      text: `select account_id as "accountId", recipient, state, night, version::text
               from recipient_choices where (version, account_id, recipient) > ($1, $2, $3)
              order by recipient_choices.version, account_id, recipient limit $4`,
      values: [last.version, last.accountId, last.recipient, page],
    })
    for (const row of rows) take(row)
    last = rows.at(-1) ?? last
    if (rows.length < page) return last.version
  }
}

interface Run {
  readonly accountId: number
  readonly state: ChoiceState
  readonly night: boolean
  /** One index after the other, in order. */
  readonly recipients: Buffer
}

const indexBytes = 16

/**
 * All choices that hold, in the order of the table. PostgreSQL joins the indexes of a page, so that a process parses a few values instead of
 * 50,000 rows. What changes while it runs may be missing: read the changes since its start afterwards.
 */
export async function readAllChoices(
  database: Queryable,
  take: TakeChoice,
  { all: page } = pageSizes,
): Promise<void> {
  let accountId = -1
  let last: Buffer = Buffer.alloc(0)
  for (;;) {
    const { rows } = await database.query<Run>({
      name: 'read-all-choices',
      text: `select account_id as "accountId", state, night, string_agg(recipient, ''::bytea order by recipient) as recipients
               from (select account_id, recipient, state, night from recipient_choices
                      where (account_id, recipient) > ($1, $2) and state <> 'none' order by account_id, recipient limit $3) c
              group by account_id, state, night order by account_id`,
      values: [accountId, last, page],
    })
    let count = 0
    for (const run of rows)
      for (let at = 0; at < run.recipients.length; at += indexBytes, count++)
        take({ ...run, recipient: run.recipients.subarray(at, at + indexBytes) })
    if (count < page) return
    const lastAccount = rows.at(-1)!.accountId
    accountId = lastAccount
    last = rows
      .filter((run) => run.accountId === lastAccount)
      .map(({ recipients }) => recipients.subarray(-indexBytes))
      .reduce((one, other) => (Buffer.compare(one, other) > 0 ? one : other))
  }
}

export interface FoundChoice {
  readonly state: ChoiceState
  readonly night: boolean
  readonly since: Date
  readonly source: ChoiceSource
  readonly reason: string
}

/** The present choice of the recipient; also one that was taken back, for a day. */
export async function findChoice(
  database: Queryable,
  recipient: Buffer,
  accountId: number,
): Promise<FoundChoice | null> {
  const result = await database.query<FoundChoice>({
    name: 'find-choice',
    text: `select state, night, since, source, reason from recipient_choices
            where account_id = $1 and recipient = $2`,
    values: [accountId, recipient],
  })
  return result.rows[0] ?? null
}

export interface FormerChoice extends FoundChoice {
  readonly endedAt: Date
}

const maxHistory = 100

/** The newest first. */
export async function readHistory(
  database: Queryable,
  recipient: Buffer,
  accountId: number,
): Promise<FormerChoice[]> {
  const result = await database.query<FormerChoice>(
    `select state, night, since, source, reason, ended_at as "endedAt" from recipient_choice_history
      where account_id = $1 and recipient = $2 order by ended_at desc limit ${maxHistory}`,
    [accountId, recipient],
  )
  return result.rows
}
