/** What an installation did in a period, and what one message cost of it. */

export interface Usage {
  readonly seconds: number
  /** Calls by text; `begin` and `commit` are statements too, because each is a round trip. */
  readonly statements: ReadonlyMap<string, number>
  /** Transactions that wrote rows, but not those that sum up the rows of many messages. */
  readonly transactions: number
  /** Rows that they inserted, updated and deleted. */
  readonly rows: number
  /** Their write-ahead log, without images of pages. */
  readonly bytes: number
}

/** Cost of one message that is alone in the pipeline. */
export interface MessageCost {
  readonly statements: ReadonlyMap<string, number>
  readonly transactions: number
  readonly rows: number
  readonly bytes: number
}

export const countStatements = (statements: ReadonlyMap<string, number>): number =>
  [...statements.values()].reduce((sum, calls) => sum + calls, 0)

/** Their calls cannot be told apart, so those of the idle installation are subtracted; other polls are left out. */
const begins: readonly string[] = ['begin', 'commit']

/**
 * Processes poll less often on a busy machine, so the idle installation may have polled more, or less, than the one with
 * messages. Too much may be subtracted up to this share of the messages, and too little up to the rest of a whole.
 */
const maxOversubtraction = 0.3

/**
 * Messages that are sent one after another share no batch, so each needs the same whole number of everything but bytes.
 * What the installation does while idle is no part of it.
 */
export function costOfMessage(usage: Usage, idle: Usage, messages: number): MessageCost {
  const periods = usage.seconds / idle.seconds
  const each = (used: number, usedIdle: number): number => (used - usedIdle * periods) / messages
  const whole = (used: number, usedIdle: number): number =>
    Math.floor(each(used, usedIdle) + maxOversubtraction)
  const statements = [...usage.statements].flatMap(([text, calls]): [string, number][] => {
    const idleCalls = idle.statements.get(text) ?? 0
    return idleCalls === 0 || begins.includes(text) ? [[text, whole(calls, idleCalls)]] : []
  })
  return {
    statements: new Map(statements.filter(([, calls]) => calls > 0)),
    transactions: whole(usage.transactions, idle.transactions),
    rows: whole(usage.rows, idle.rows),
    bytes: Math.round(each(usage.bytes, idle.bytes)),
  }
}
