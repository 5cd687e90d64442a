/**
 * The driver's client with three additions: array parameters are serialized by `array-literal.ts`, which is
 * faster; `busySince` shows since when it waits for a reply (`query-watch.ts`); and it reports the name of
 * every statement.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { arrayLiteral } from './array-literal.ts'

export class BulkClient extends pg.Client {
  /**
   * Identifies this connection in `pg_stat_activity`; a process id could belong to a pooler or another
   * server.
   */
  readonly applicationName: string
  /** The start of the current statement on the monotonic clock. */
  busySince: number | undefined
  /** Called with the name of every statement. */
  onStatement: ((name: string) => void) | undefined

  constructor(config: pg.ClientConfig = {}) {
    const applicationName = `postern ${randomBytes(6).toString('hex')}`
    super({ ...config, application_name: applicationName })
    this.applicationName = applicationName
    this.on('drain', () => (this.busySince = undefined))
    const query = this.query.bind(this) as (...parameters: unknown[]) => unknown
    // Assigned, because an override would have to repeat every one of the driver's signatures.
    this.query = ((statement: unknown, values: unknown, ...rest: unknown[]) => {
      this.busySince ??= performance.now()
      this.onStatement?.(statementName(statement))
      return query(withLiterals(statement), literals(values), ...rest)
    }) as pg.Client['query']
  }

  /** Closes the connection without waiting for the server; the statement in progress fails with the error. */
  abandon(error: Error): void {
    this.connection.stream.destroy(error)
  }
}

function withLiterals(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || !('values' in statement)) return statement
  return { ...statement, values: literals(statement.values) }
}

function literals(values: unknown): unknown {
  if (!Array.isArray(values)) return values
  return values.map((value: unknown) => (Array.isArray(value) ? (arrayLiteral(value) ?? value) : value))
}

/** Returns the name of a prepared statement and the first word of any other, so that the names are few. */
function statementName(statement: unknown): string {
  if (typeof statement === 'string') return firstWord(statement)
  const { name, text = '' } = statement as { readonly name?: string; readonly text?: string }
  return name ?? firstWord(text)
}

function firstWord(text: string): string {
  return /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? ''
}
